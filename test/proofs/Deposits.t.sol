// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISignedPulls} from "../../contracts/interfaces/receiver/ISignedPulls.sol";
import {PinnedReceiver} from "../../contracts/receiver/PinnedReceiver.sol";
import {DepositPolicies} from "../../contracts/receiver/DepositPolicies.sol";
import {NotedPolicies, Notes, Payments} from "./Payments.sol";

/// @title NotedReceiver
contract NotedReceiver is PinnedReceiver, NotedPolicies {
    constructor(
        address solver,
        address payee,
        Notes notes
    ) PinnedReceiver(solver, payee, Binding.Caller, solver) NotedPolicies(notes) {}

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

/// @title DepositProofs
/// @notice From any state, each way to pay succeeds only if the solver signed this payment, the id was free and the payee got the
/// amount. It has then asked both hooks about this payment and noted the depositor.
contract DepositProofs is Payments {
    NotedReceiver private _receiver;

    function setUp() external {
        _placeTokens();
        address deployed = address(new NotedReceiver(SOLVER, PAYEE, _notes));
        _receiver = NotedReceiver(payable(_anyStateOf(deployed)));
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/receiver/PinnedReceiver.sol: recovered != solver -> recovered == address(0)
    function check_Native(address payer, IRecordReceiver.Payment memory paid) external {
        paid.currency = address(0);
        _check(payer, payer, _callOf(paid), paid);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/libraries/MeasuredTransfer.sol: if (arrived != amount) -> if (arrived < amount)
    function check_Erc20(address payer, IRecordReceiver.Payment memory paid) external {
        paid.currency = address(_token);
        _check(payer, payer, _callOf(paid), paid);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/receiver/RefundReceiver.sol: entry.depositor != 0 -> entry.depositor == 1
    function check_Erc20WithPermit(
        address payer,
        IRecordReceiver.Payment memory paid,
        ISignedPulls.Permit memory permit
    ) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20WithPermit,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature,
                permit
            )
        );
        _check(payer, payer, data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 65
    /// @custom:mutant contracts/receiver/RecordReceiver.sol: permit.owner, -> msg.sender,
    function check_Erc20WithPermit2(
        address payer,
        IRecordReceiver.Payment memory paid,
        ISignedPulls.Permit2Transfer memory permit
    ) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20WithPermit2,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature,
                permit
            )
        );
        _check(payer, permit.owner, data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/libraries/SignedPayments.sol: requireArrival(token, payee, payeeBefore, amount) -> requireUnchanged(token, ownBefore)
    function check_Erc20WithAuthorization(
        address payer,
        IRecordReceiver.Payment memory paid,
        ISignedPulls.Authorization memory authorization
    ) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20WithAuthorization,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature,
                authorization
            )
        );
        _check(payer, authorization.owner, data, paid);
    }

    /// @notice Two native payments, and a token's after a native one.
    /// @custom:halmos --default-bytes-lengths 65
    /// @custom:mutant contracts/receiver/RecordReceiver.sol: nativeSum != msg.value -> nativeSum > msg.value
    function check_Batch(
        address payer,
        IRecordReceiver.Payment memory first,
        IRecordReceiver.Payment memory second,
        bool isSecondNative
    ) external {
        first.currency = address(0);
        second.currency = isSecondNative ? address(0) : address(_token);
        IRecordReceiver.Payment[] memory payments = new IRecordReceiver.Payment[](2);
        (payments[0], payments[1]) = (first, second);
        VM.assume(payer != PAYEE && payer != SOLVER);
        bool wereFree = _isFree(first) && _isFree(second);
        uint256 held = PAYEE.balance;
        uint256 value = SYMBOLS.createUint256("value");
        if (
            !_callAs(payer, address(_receiver), value, abi.encodeCall(IRecordReceiver.depositAll, (payments)))
        ) return;

        assert(wereFree && first.requestId != second.requestId);
        _checkAccepted(payer, payer, first);
        _checkAccepted(payer, payer, second);
        unchecked {
            assert(PAYEE.balance - held == value);
        }
        assert(value == first.amount + (isSecondNative ? second.amount : 0));
    }

    function _check(
        address payer,
        address depositor,
        bytes memory data,
        IRecordReceiver.Payment memory paid
    ) private {
        bool isNative = paid.currency == address(0);
        address payee = isNative ? PAYEE : SOLVER;
        VM.assume(depositor != PAYEE && depositor != SOLVER);
        bool wasFree = _isFree(paid);
        uint256 held = _balanceOf(paid.currency, payee);
        if (!_callAs(payer, address(_receiver), isNative ? paid.amount : 0, data)) return;

        assert(wasFree);
        _checkAccepted(payer, depositor, paid);
        unchecked {
            assert(_balanceOf(paid.currency, payee) - held == paid.amount);
        }
    }

    function _checkAccepted(
        address payer,
        address depositor,
        IRecordReceiver.Payment memory paid
    ) private view {
        assert(_solverOf(payer, paid) == SOLVER);
        assert(_receiver.depositorOf(paid.requestId) == depositor);
        assert(paid.amount != 0);
        assert(_isAsked(paid.requestId, depositor, paid.currency, paid.amount));
        assert(_isAsked(paid.destinationChainId, paid.destinationUser));
    }

    function _isFree(IRecordReceiver.Payment memory paid) private view returns (bool) {
        return _receiver.depositorOf(paid.requestId) == address(0);
    }
}
