// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IManagedReceiverPermits} from "../interfaces/receiver/IManagedReceiverPermits.sol";
import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {SaturatingMath} from "../libraries/SaturatingMath.sol";
import {SignedPayments} from "../libraries/SignedPayments.sol";
import {SignedPulls} from "../libraries/SignedPulls.sol";
import {TransferWithId} from "../libraries/TransferWithId.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {ManagedReceiver} from "./ManagedReceiver.sol";

/// @title ManagedReceiverPermits
/// @notice The managed receiver with payments by permit, by signed transfer, and of several requests at once.
/// @dev Each function consumes every id before its first external call, and measures the result of each call.
contract ManagedReceiverPermits is IManagedReceiverPermits, ManagedReceiver {
    using SaturatingMath for uint256;

    /// @param configuration Initial configuration.
    constructor(Configuration memory configuration) ManagedReceiver(configuration) {}

    /// @inheritdoc IManagedReceiverPermits
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature,
        ISignedPulls.Permit calldata permit
    ) external override nonReentrant {
        (address solver, ) = _acceptV1(msg.sender, token, amount, record, signature, coSignature);
        SignedPulls.usePermit(token, amount, permit);
        _forwardErc20(token, solver, amount, record.requestId);
    }

    /// @inheritdoc IManagedReceiverPermits
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external override nonReentrant {
        address owner = permit.owner;
        (address solver, ) = _acceptV1(owner, token, amount, record, signature, coSignature);
        emit Erc20Deposited(record.requestId, owner);

        SignedPayments.payWithPermit2(token, solver, amount, record.requestId, _witnessOf(record), permit);
    }

    /// @inheritdoc IManagedReceiverPermits
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature,
        ISignedPulls.Authorization calldata authorization
    ) external override nonReentrant {
        address owner = authorization.owner;
        (address solver, ) = _acceptV1(owner, token, amount, record, signature, coSignature);
        emit Erc20Deposited(record.requestId, owner);

        SignedPayments.payWithAuthorization(
            token,
            solver,
            amount,
            record.requestId,
            _witnessOf(record),
            authorization
        );
    }

    /// @inheritdoc IManagedReceiverPermits
    function depositAll(SignedPayment[] calldata payments) external payable override nonReentrant {
        if (payments.length == 0) revert BatchIsEmpty();
        uint256 nativeSum;
        for (uint256 i; i < payments.length; ++i) {
            SignatureRecord.Record calldata record = payments[i].record;
            if (record.originCurrency == 0) nativeSum = nativeSum.add(record.originAmount);
        }
        if (nativeSum != msg.value) revert NativeSumMismatch(nativeSum, msg.value);

        // Every id is consumed before the first external call.
        address[] memory payees = new address[](payments.length);
        for (uint256 i; i < payments.length; ++i) {
            payees[i] = _acceptOne(payments[i]);
        }

        for (uint256 i; i < payments.length; ++i) {
            SignatureRecord.Record calldata record = payments[i].record;
            (bytes32 requestId, uint256 amount) = (record.requestId, record.originAmount);
            address currency = _currencyOf(record);
            if (currency == address(0)) {
                emit NativeDeposited(requestId, msg.sender, amount);
                TransferWithId.payNativeWithId(payees[i], amount, requestId);
            } else {
                _forwardErc20(currency, payees[i], amount, requestId);
            }
        }
    }

    /// @dev First half of one payment of a batch.
    function _acceptOne(SignedPayment calldata payment) private returns (address payee) {
        SignatureRecord.Record calldata record = payment.record;
        (address currency, uint256 amount) = (_currencyOf(record), record.originAmount);
        (address solver, address nativePayee) = _acceptV1(
            msg.sender,
            currency,
            amount,
            record,
            payment.signature,
            payment.coSignature
        );
        return currency == address(0) ? nativePayee : solver;
    }

    function _witnessOf(SignatureRecord.Record calldata record) private view returns (bytes32) {
        return SignedPulls.witnessOf(record.requestId, record.destinationChainId, record.destinationUser);
    }

    /// @dev Truncates to an address. `_accept` compares the whole word and rejects one that is no address.
    function _currencyOf(SignatureRecord.Record calldata record) private pure returns (address) {
        return address(uint160(uint256(record.originCurrency)));
    }
}
