// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderDepository} from "../../contracts/interfaces/external/IOrderDepository.sol";
import {IOrderReceiver} from "../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {ISignedPulls} from "../../contracts/interfaces/receiver/ISignedPulls.sol";
import {DepositPolicies} from "../../contracts/receiver/DepositPolicies.sol";
import {OrderReceiver} from "../../contracts/receiver/OrderReceiver.sol";
import {Order} from "../../contracts/records/Order.sol";
import {OrderHash} from "../../contracts/testing/OrderHash.sol";
import {AnyToken} from "./AnyToken.sol";
import {NotedPolicies, Notes, Payments} from "./Payments.sol";

/// @title AnyDepository
/// @notice Notes its calls, and moves any amount of the token from any account to itself.
contract AnyDepository {
    Notes private immutable NOTES;

    constructor(Notes notes) {
        NOTES = notes;
    }

    fallback() external payable {
        NOTES.note(keccak256(abi.encode(msg.value, msg.data)));
        if (msg.sig != IOrderDepository.depositErc20.selector) return;
        (, address token) = abi.decode(msg.data[4:], (address, address));
        AnyToken(token).arriveAt(address(this));
        AnyToken(token).arriveAt(msg.sender);
    }
}

/// @title NotedOrderReceiver
contract NotedOrderReceiver is OrderReceiver, NotedPolicies {
    constructor(
        address solver,
        address depository,
        string memory chain,
        Notes notes
    ) OrderReceiver(solver, depository, chain, block.chainid, solver) NotedPolicies(notes) {}

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override(DepositPolicies, NotedPolicies) returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, NotedPolicies) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }
}

/// @title OrderDepositProofs
/// @notice From any state, each way to pay for an order succeeds only if the solver signed the order, one of its inputs is this
/// payment, it has not expired, its id was free and the depository was asked to record the payment and got it. It has then asked
/// both hooks about this payment and about each account that the order pays or calls, and noted the depositor.
contract OrderDepositProofs is Payments {
    /// @dev As long as an address, so that one length serves all bytes of an order.
    string private constant CHAIN = "a chain of 20 bytes.";

    NotedOrderReceiver private _receiver;
    address private _depository;

    function setUp() external {
        _placeTokens();
        _depository = address(new AnyDepository(_notes));
        address deployed = address(new NotedOrderReceiver(SOLVER, _depository, CHAIN, _notes));
        _receiver = NotedOrderReceiver(payable(_anyStateOf(deployed)));
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1 --array-lengths paid.orderSignature={64,65}
    /// @custom:mutant contracts/receiver/OrderReceiver.sol: if (recovered != solver) -> if (recovered == address(0))
    function check_NativeOrder(address payer, IOrderReceiver.OrderPayment memory paid) external {
        bytes memory data = abi.encodeCall(
            IOrderReceiver.deposit,
            (paid.order, paid.inputIndex, paid.orderSignature)
        );
        _check(payer, payer, address(0), data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1 --array-lengths paid.orderSignature=65
    /// @custom:mutant contracts/receiver/OrderReceiver.sol: MeasuredTransfer.requireArrival(token, depository, kept, amount); -> // nothing
    function check_Erc20Order(
        address payer,
        uint256 amount,
        IOrderReceiver.OrderPayment memory paid
    ) external {
        bytes memory data = abi.encodeCall(
            IOrderReceiver.depositErc20,
            (address(_token), amount, paid.order, paid.inputIndex, paid.orderSignature)
        );
        _check(payer, payer, address(_token), data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 0 --array-lengths paid.orderSignature=65,paid.order.inputs=1,paid.order.output.payments=1
    /// @custom:mutant contracts/receiver/OrderReceiver.sol: (payment.amount != amount) -> (payment.amount < amount)
    function check_Erc20OrderWithPermit(
        address payer,
        uint256 amount,
        IOrderReceiver.OrderPayment memory paid,
        ISignedPulls.Permit memory permit
    ) external {
        bytes memory data = abi.encodeCall(
            IOrderReceiver.depositErc20WithPermit,
            (address(_token), amount, paid.order, paid.inputIndex, paid.orderSignature, permit)
        );
        _check(payer, payer, address(_token), data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1 --array-lengths paid.orderSignature=65
    /// @custom:mutant contracts/receiver/OrderReceiver.sol: for (uint256 i; i < calls.length; ++i) _authorizeAccount(output.chainId, calls[i]); -> // nothing
    function check_Erc20OrderWithPermit2(
        address payer,
        uint256 amount,
        IOrderReceiver.OrderPayment memory paid,
        ISignedPulls.Permit2Transfer memory permit
    ) external {
        bytes memory data = abi.encodeCall(
            IOrderReceiver.depositErc20WithPermit2,
            (address(_token), amount, paid.order, paid.inputIndex, paid.orderSignature, permit)
        );
        _check(payer, permit.owner, address(_token), data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 0 --array-lengths paid.orderSignature=65,paid.order.inputs=1,paid.order.output.payments=1
    /// @custom:mutant contracts/receiver/OrderReceiver.sol: _passOn(authorization.owner, -> _passOn(msg.sender,
    function check_Erc20OrderWithAuthorization(
        address payer,
        uint256 amount,
        IOrderReceiver.OrderPayment memory paid,
        ISignedPulls.Authorization memory authorization
    ) external {
        bytes memory data = abi.encodeCall(
            IOrderReceiver.depositErc20WithAuthorization,
            (address(_token), amount, paid.order, paid.inputIndex, paid.orderSignature, authorization)
        );
        _check(payer, authorization.owner, address(_token), data, paid);
    }

    /// @notice A token's order after a native one.
    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 0 --array-lengths native.order.inputs=1,native.order.output.payments=1,native.orderSignature=65,token.order.inputs=1,token.order.output.payments=1,token.orderSignature=65
    /// @custom:mutant contracts/receiver/OrderReceiver.sol: if (nativeSum != msg.value) -> if (nativeSum > msg.value)
    function check_OrderBatch(
        address payer,
        uint256 value,
        IOrderReceiver.OrderPayment memory native,
        IOrderReceiver.OrderPayment memory token
    ) external {
        VM.warp(SYMBOLS.createUint256("time"));
        IOrderReceiver.OrderPayment[] memory payments = new IOrderReceiver.OrderPayment[](2);
        (payments[0], payments[1]) = (native, token);
        bytes32[2] memory ids;
        for (uint256 i; i < 2; ++i) {
            address currency = i == 0 ? address(0) : address(_token);
            VM.assume(payments[i].inputIndex == 0);
            // Halmos calls concrete addresses only.
            payments[i].order.inputs[0].payment.currency = abi.encodePacked(currency);
            ids[i] = OrderHash.hash(payments[i].order);
        }
        bool wereFree = _isFree(ids[0]) && _isFree(ids[1]);
        uint256 held = _balanceOf(address(_token), _depository);
        bytes memory data = abi.encodeCall(IOrderReceiver.depositAll, (payments));
        if (!_callAs(payer, address(_receiver), value, data)) return;

        assert(wereFree && ids[0] != ids[1]);
        assert(_checkAccepted(payer, ids[0], address(0), native) == value);
        uint256 amount = _checkAccepted(payer, ids[1], address(_token), token);
        unchecked {
            assert(_balanceOf(address(_token), _depository) - held == amount);
        }
    }

    function _check(
        address payer,
        address depositor,
        address currency,
        bytes memory data,
        IOrderReceiver.OrderPayment memory paid
    ) private {
        VM.warp(SYMBOLS.createUint256("time"));
        VM.assume(paid.inputIndex == 0);
        bytes32 id = OrderHash.hash(paid.order);
        bool wasFree = _isFree(id);
        uint256 held = _balanceOf(currency, _depository);
        uint256 value = currency == address(0) ? SYMBOLS.createUint256("value") : 0;
        if (!_callAs(payer, address(_receiver), value, data)) return;

        assert(wasFree);
        uint256 amount = _checkAccepted(depositor, id, currency, paid);
        assert(currency != address(0) || value == amount);
        unchecked {
            assert(_balanceOf(currency, _depository) - held == amount);
        }
    }

    function _checkAccepted(
        address depositor,
        bytes32 id,
        address currency,
        IOrderReceiver.OrderPayment memory paid
    ) private view returns (uint256 amount) {
        assert(paid.order.solver == SOLVER);
        assert(_signerOf(_ethereumMessage(id), paid.orderSignature) == SOLVER);
        assert(_receiver.depositorOf(id) == depositor);
        amount = _checkInput(currency, paid.order.inputs[paid.inputIndex]);
        assert(_isAsked(id, depositor, currency, amount));
        _checkOutput(paid.order.output);
        Order.Fee[] memory fees = paid.order.fees;
        for (uint256 i; i < fees.length; ++i) _checkAsked(fees[i].recipientChainId, fees[i].recipient);
        bytes memory recorded =
            currency == address(0)
                ? abi.encodeCall(IOrderDepository.depositNative, (depositor, id))
                : abi.encodeCall(IOrderDepository.depositErc20, (depositor, currency, amount, id));
        uint256 value = currency == address(0) ? amount : 0;
        assert(_notes.isNoted(keccak256(abi.encode(value, recorded))));
    }

    function _checkInput(address currency, Order.Input memory input) private view returns (uint256 amount) {
        assert(keccak256(bytes(input.payment.chainId)) == keccak256(bytes(CHAIN)));
        assert(keccak256(input.payment.currency) == keccak256(abi.encodePacked(currency)));
        assert(input.payment.amount != 0);
        for (uint256 i; i < input.refunds.length; ++i) assert(block.timestamp <= input.refunds[i].deadline);
        return input.payment.amount;
    }

    function _checkOutput(Order.Output memory output) private view {
        assert(block.timestamp <= output.deadline);
        assert(output.payments.length != 0);
        for (uint256 i; i < output.payments.length; ++i) {
            assert(output.payments[i].minimumAmount != 0);
            _checkAsked(output.chainId, output.payments[i].recipient);
        }
        for (uint256 i; i < output.calls.length; ++i) _checkAsked(output.chainId, output.calls[i]);
    }

    function _checkAsked(string memory chain, bytes memory account) private view {
        assert(_isAsked(uint256(keccak256(bytes(chain))), keccak256(account)));
    }

    function _isFree(bytes32 id) private view returns (bool) {
        return _receiver.depositorOf(id) == address(0);
    }
}
