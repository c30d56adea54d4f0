// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IDepositPolicies} from "../../../../contracts/interfaces/receiver/policies/IDepositPolicies.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IOrderReceiver} from "../../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {IPausePolicy} from "../../../../contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {IRecipientAllowListMapping} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {Order} from "../../../../contracts/records/Order.sol";
import {MoneyPaths} from "../MoneyPaths.sol";
import {AllPolicies} from "./AllPolicies.sol";
import {OrdersThenPolicies, PoliciesThenOrders, PoliciesThenPinned} from "./ComposedReceivers.sol";

/// @title ForgetfulOrders
/// @notice Its override answers by itself, without `super`.
contract ForgetfulOrders is OrderReceiver {
    constructor(
        address solver_,
        address depository_
    ) OrderReceiver(solver_, depository_, "base", block.chainid, msg.sender) {}

    function _authorizeRecipient(uint256 chain, bytes32) internal pure override returns (bytes32) {
        return bytes32(chain);
    }
}

/// @title CompositionTest
/// @notice A receiver that inherits every policy passes no deposit without one of them, whichever is listed first.
contract CompositionTest is MoneyPaths {
    uint256 private constant KEY = uint256(keccak256("the integrator's key"));
    uint256 private constant DEPOSIT_PATHS = 10;
    bytes private constant LISTED = "listed";

    /// @dev Which receiver of orders is deployed: policies first, or last.
    bool private _isPoliciesFirst;
    Order.Output private _output;
    Order.Fee[] private _fees;

    function setUp() public {
        _output.chainId = "arbitrum";
        _output.deadline = type(uint32).max;
        _output.payments.push(Order.OutputPayment(LISTED, "", 1, 1));
    }

    function test_RevertWhen_AnyPolicyRefusesADepositOfAnyWayWhicheverIsListedFirst() public {
        bytes4[4] memory errors = [
            ICurrencyLimits.CurrencyNotAccepted.selector,
            IPausePolicy.DepositsPaused.selector,
            IExpiryCoSignature.NotCoSigned.selector,
            IRecipientAllowListMapping.RecipientNotAllowed.selector
        ];
        for (uint256 order; order < 2; ++order) {
            _deploy(order == 1);
            for (uint256 i; i < DEPOSIT_PATHS * 2; ++i) {
                Path path = Path(i % DEPOSIT_PATHS);
                address currency = i < DEPOSIT_PATHS ? address(0) : _currencyOf(path);
                for (uint256 policy; policy < errors.length; ++policy) {
                    Move memory refused = _move(path, currency);
                    _set(path, currency, policy, false);
                    (bool isAccepted, bytes memory reason) = _send(refused);
                    _assertEq(isAccepted, false);
                    _assertSelector(reason, errors[policy]);
                    _set(path, currency, policy, true);
                }
                (bool success, bytes memory answer) = _send(_move(path, currency));
                _assertEq(answer, "");
                _assertEq(success, true);
            }
        }
    }

    function test_RevertWhen_AnOrderReceiversOverrideForgetsSuper() public {
        _deploy(false);
        _orders = new ForgetfulOrders(ORDER_SOLVER, address(_depository));
        (Order.Data memory order, uint256 index) = _payable(1, address(0), AMOUNT);
        bytes32 chain = keccak256(bytes(order.output.chainId));
        bytes32 authorized = keccak256("waybill.receiver.DepositPolicies");
        VM.deal(OWNER, AMOUNT);
        VM.prank(OWNER);
        (, bytes memory reason) = address(_orders).call{value: AMOUNT}(
            _orderCall(order, index, _signed(order), Way.Plain)
        );
        _assertEq(reason, abi.encodeWithSelector(IDepositPolicies.PolicySkipped.selector, chain, authorized));
    }

    function test_AuditA6_RevertWhen_AnOrderPaysOrCallsAnythingThatIsNotListed() public {
        _deploy(false);
        bytes4 notAllowed = IRecipientAllowListMapping.RecipientNotAllowed.selector;
        delete _output.payments;
        _assertOrder(IOrderReceiver.OutputPaysNobody.selector);
        _output.calls.push(hex"1234");
        _assertOrder(IOrderReceiver.OutputPaysNobody.selector);
        _output.payments.push(Order.OutputPayment(LISTED, "", 0, 1));
        _assertOrder(IOrderReceiver.OutputPaymentIsZero.selector);
        _output.payments[0].minimumAmount = 1;
        _assertOrder(notAllowed);

        _list(_orders, keccak256(hex"1234"));
        _assertOrder("");
        _fees.push(Order.Fee("arbitrum", "fee", "base", "", 1));
        _assertOrder(notAllowed);
        _list(_orders, keccak256("fee"));
        _assertOrder("");

        _output.payments.push(Order.OutputPayment("unlisted", "", 1, 1));
        _assertOrder(notAllowed);
        _output.payments.pop();
        _output.payments[0].recipient = abi.encodePacked(uint96(0), LISTED);
        _assertOrder(notAllowed);
        _output.payments[0].recipient = LISTED;
        _output.chainId = "optimism";
        _assertOrder(notAllowed);
    }

    function _assertOrder(bytes4 expected) private {
        Move memory move = _move(Path.OrderPlain, address(0));
        (bool success, bytes memory reason) = _send(move);
        _assertEq(success, expected == "");
        _assertSelector(reason, expected);
    }

    function _deploy(bool isPoliciesFirst) private {
        _isPoliciesFirst = isPoliciesFirst;
        _deployPaths();
        VM.deal(OWNER, type(uint128).max);
        address[2] memory tokens = [address(_token), address(_auth)];
        for (uint256 i; i < tokens.length; ++i) {
            _set(Path.RecordPlain, tokens[i], 0, true);
            _set(Path.OrderPlain, tokens[i], 0, true);
            _approve(tokens[i], address(_orders), type(uint256).max);
        }
    }

    function _currencyOf(Path path) private view returns (address) {
        bool isAuthorization = path == Path.RecordAuthorization || path == Path.OrderAuthorization;
        return isAuthorization ? address(_auth) : address(_token);
    }

    function _newReceiver(
        IRecordReceiver.Binding binding
    ) internal override returns (PinnedReceiver receiver) {
        receiver = new PoliciesThenPinned(SOLVER, binding, REFUND_PAYEE);
        _allow(AllPolicies(address(receiver)));
        _setRecipient(AllPolicies(address(receiver)), 1, USER, true);
    }

    function _newOrders(address depository) internal override returns (OrderReceiver receiver) {
        receiver =
            _isPoliciesFirst
                ? OrderReceiver(new PoliciesThenOrders(ORDER_SOLVER, depository))
                : OrderReceiver(new OrdersThenPolicies(ORDER_SOLVER, depository));
        _allow(AllPolicies(address(receiver)));
        _list(receiver, keccak256(LISTED));
    }

    function _allow(AllPolicies policies) private {
        policies.setCoSigner(VM.addr(KEY));
        policies.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(0), 0, type(uint128).max));
    }

    /// @dev An account on the chain of the orders.
    function _list(OrderReceiver receiver, bytes32 account) private {
        _setRecipient(AllPolicies(address(receiver)), uint256(keccak256("arbitrum")), account, true);
    }

    function _setRecipient(AllPolicies policies, uint256 chain, bytes32 account, bool isAllowed) private {
        IRecipientAllowListMapping.Recipient[] memory recipients = new IRecipientAllowListMapping.Recipient[](
            1
        );
        recipients[0] = IRecipientAllowListMapping.Recipient(chain, account);
        policies.setRecipients(recipients, isAllowed);
    }

    /// @dev Makes a policy of the path's receiver accept or refuse its deposits, in the order of the errors above.
    function _set(Path path, address currency, uint256 policy, bool isAllowed) private {
        bool isRecord = path < Path.OrderPlain;
        AllPolicies policies = AllPolicies(isRecord ? address(_byReceiver) : address(_orders));
        if (policy == 0) {
            uint128 maximum = isAllowed ? type(uint128).max : 0;
            policies.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, 0, maximum));
        } else if (policy == 1) {
            policies.setPaused(!isAllowed);
        } else if (policy == 2) {
            policies.setCoSigner(isAllowed ? VM.addr(KEY) : STRANGER);
        } else if (isRecord) {
            _setRecipient(policies, 1, USER, isAllowed);
        } else {
            _setRecipient(policies, uint256(keccak256("arbitrum")), keccak256(LISTED), isAllowed);
        }
    }

    function _policyData(address receiver, bytes32 id) internal view override returns (bytes memory) {
        bytes32 typehash = keccak256("Expiry(bytes32 requestId,uint256 deadline)");
        uint256 deadline = type(uint256).max;
        bytes32 structHash = keccak256(abi.encode(typehash, id, deadline));
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(KEY, _typedDigest("Waybill", receiver, structHash));
        return abi.encode(deadline, r, _yParityAndS(v, s));
    }

    function _drawOrder(
        uint256 seed,
        address currency
    ) internal view override returns (Order.Data memory order, uint256 index) {
        (order, index) = _payable(seed, currency, AMOUNT);
        (order.output, order.fees) = (_output, _fees);
    }
}
