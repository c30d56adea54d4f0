// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IManagedReceiver} from "../interfaces/IManagedReceiver.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {TaggedTransfer} from "../libraries/TaggedTransfer.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../records/SignatureRecordV2.sol";
import {CurrencyLimits} from "./policies/CurrencyLimits.sol";
import {ExpiryCoSignature} from "./policies/ExpiryCoSignature.sol";
import {PausePolicy} from "./policies/PausePolicy.sol";
import {RecipientAllowListMapping} from "./policies/RecipientAllowListMapping.sol";
import {RefundLedger} from "./policies/RefundLedger.sol";
import {SolverSet} from "./policies/SolverSet.sol";
import {TwoStepOwner} from "./policies/TwoStepOwner.sol";

/// @title ManagedReceiver
/// @notice The receiver with every policy: names what is wrong, and credits what comes back.
/// @dev The order of the bases is the storage layout: the native limits, pause, co-signer and the list's switch share one slot,
/// so that a deposit reads it cold once.
contract ManagedReceiver is
    IManagedReceiver,
    CurrencyLimits,
    PausePolicy,
    ExpiryCoSignature,
    RecipientAllowListMapping,
    SolverSet,
    RefundLedger
{
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecord for address;
    using SignatureRecordV2 for SignatureRecordV2.Record;

    address private constant NATIVE = address(0);

    uint256 private constant MAX_CHAIN_ID = SignatureRecord.MAX_CHAIN_ID;

    /// @dev A `bool`, because reading an enumeration checks its range each time.
    bool private immutable _isBoundToCaller;

    /// @param configuration What the receiver begins with.
    constructor(
        Configuration memory configuration
    ) TwoStepOwner(configuration.owner) SolverSet(configuration.activationDelay, configuration.solvers) {
        _isBoundToCaller = configuration.binding == Binding.Caller;
        _setCoSigner(configuration.coSigner);
        _setRecipientListOpen(configuration.isRecipientListOpen);
        for (uint256 i; i < configuration.limits.length; ++i) {
            _setCurrencyLimits(configuration.limits[i]);
        }
    }

    /// @inheritdoc IManagedReceiver
    function depositNative(
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only outside call and no balance is measured.
        (, address payee) = _accept(msg.sender, NATIVE, msg.value, record, signature, coSignature);
        _forwardNative(payee, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function depositErc20(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external override nonReentrant {
        // Guarded, because a token that calls back could let one arrival be measured for two deposits.
        (address solver, ) = _accept(msg.sender, token, amount, record, signature, coSignature);
        _forwardErc20(token, solver, amount, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function depositNativeV2(
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external payable override {
        (, address payee) = _acceptV2(NATIVE, msg.value, record, signature, coSignature);
        _forwardNative(payee, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function depositErc20V2(
        address token,
        uint256 amount,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external override nonReentrant {
        (address solver, ) = _acceptV2(token, amount, record, signature, coSignature);
        _forwardErc20(token, solver, amount, record.requestId);
    }

    /// @inheritdoc IManagedReceiver
    function validate(
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external view override returns (bytes[] memory reasons) {
        // The checks of `_accept`, in its order.
        bytes[] memory checks = new bytes[](12);
        checks[0] = abi.encodeCall(this.checkNotPaused, ());
        checks[1] = abi.encodeCall(this.checkIsV1, (record.destinationChainId));
        checks[2] = abi.encodeCall(this.checkOriginChain, (record.originChainId));
        checks[3] = abi.encodeCall(this.checkOriginUser, (record.originUser, payment.depositor));
        checks[4] = abi.encodeCall(this.checkCurrency, (record.originCurrency, payment.currency));
        checks[5] = abi.encodeCall(this.checkAmount, (record.originAmount, payment.amount));
        checks[6] = abi.encodeCall(this.checkLimits, (payment.currency, payment.amount));
        checks[7] = abi.encodeCall(this.checkRecipient, (record.destinationChainId, record.destinationUser));
        checks[8] = abi.encodeCall(this.checkDeadline, (coSignature.deadline));
        checks[9] = abi.encodeCall(this.checkExpiry, (record.requestId, coSignature));
        checks[10] = abi.encodeCall(this.checkSignature, (record.digest(), signature));
        checks[11] = abi.encodeCall(this.checkNotConsumed, (record.requestId));
        return _reasonsOf(checks);
    }

    /// @inheritdoc IManagedReceiver
    function validateV2(
        Payment calldata payment,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) external view override returns (bytes[] memory reasons) {
        // The checks of `_acceptV2`, in its order.
        bytes[] memory checks = new bytes[](12);
        checks[0] = abi.encodeCall(this.checkNotPaused, ());
        checks[1] = abi.encodeCall(this.checkIsV2, (record.destinationUser));
        checks[2] = abi.encodeCall(this.checkOriginChain, (record.originChainId));
        checks[3] = abi.encodeCall(this.checkOriginUser, (record.originUser, payment.depositor));
        checks[4] = abi.encodeCall(this.checkCurrency, (record.originCurrency, payment.currency));
        checks[5] = abi.encodeCall(this.checkAmount, (payment.amount, payment.amount));
        checks[6] = abi.encodeCall(this.checkLimits, (payment.currency, payment.amount));
        checks[7] = abi.encodeCall(this.checkRecipient, (record.destinationChainId, record.destinationUser));
        checks[8] = abi.encodeCall(this.checkDeadline, (coSignature.deadline));
        checks[9] = abi.encodeCall(this.checkAmountExpiry, (record.requestId, payment.amount, coSignature));
        checks[10] = abi.encodeCall(this.checkSignature, (record.digest(), signature));
        checks[11] = abi.encodeCall(this.checkNotConsumed, (record.requestId));
        return _reasonsOf(checks);
    }

    /// @inheritdoc IManagedReceiver
    function binding() external view override returns (Binding) {
        return _isBoundToCaller ? Binding.Caller : Binding.Receiver;
    }

    /// @inheritdoc IManagedReceiver
    function checkOriginChain(uint256 originChainId) public view override {
        if (originChainId != block.chainid) revert RecordForOtherChain(originChainId, block.chainid);
    }

    /// @inheritdoc IManagedReceiver
    function checkOriginUser(bytes32 originUser, address depositor) public view override {
        bytes32 expected = (_isBoundToCaller ? depositor : address(this)).word();
        if (originUser != expected) revert OriginUserMismatch(originUser, expected);
    }

    /// @inheritdoc IManagedReceiver
    function checkIsV1(uint256 destinationChainId) public pure override {
        if (destinationChainId > MAX_CHAIN_ID) revert RecordOfOtherVersion(destinationChainId, MAX_CHAIN_ID);
    }

    /// @inheritdoc IManagedReceiver
    function checkIsV2(bytes32 destinationUser) public pure override {
        uint256 account = uint256(destinationUser);
        if (account <= MAX_CHAIN_ID) revert RecordOfOtherVersion(account, MAX_CHAIN_ID);
    }

    /// @inheritdoc IManagedReceiver
    function checkCurrency(bytes32 originCurrency, address sentCurrency) public pure override {
        if (originCurrency != sentCurrency.word())
            revert CurrencyMismatch(originCurrency, sentCurrency.word());
    }

    /// @inheritdoc IManagedReceiver
    function checkAmount(uint256 expected, uint256 sent) public pure override {
        if (sent != expected) revert AmountMismatch(expected, sent);
        if (sent == 0) revert AmountIsZero();
    }

    /// @dev Every version 1 deposit's first half: inputs, policies, authority, replay, effect. Nothing outside is called but, of
    /// a contract solver, the verification, which cannot change anything.
    /// `depositor`, who pays, gets what comes back; the record is the caller's to bring.
    function _accept(
        address depositor,
        address currency,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) internal returns (address solver, address payee) {
        checkNotPaused();
        checkIsV1(record.destinationChainId);
        checkOriginChain(record.originChainId);
        checkOriginUser(record.originUser, msg.sender);
        checkCurrency(record.originCurrency, currency);
        checkAmount(record.originAmount, amount);
        checkLimits(currency, amount);
        checkRecipient(record.destinationChainId, record.destinationUser);
        checkDeadline(coSignature.deadline);
        checkExpiry(record.requestId, coSignature);
        (solver, payee) = checkSignature(record.digestOfCalldata(), signature);
        _consume(record.requestId, depositor);
    }

    /// @dev The same for version 2, with the co-signer's amount in place of the record's.
    function _acceptV2(
        address currency,
        uint256 amount,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        CoSignature calldata coSignature
    ) private returns (address solver, address payee) {
        checkNotPaused();
        checkIsV2(record.destinationUser);
        checkOriginChain(record.originChainId);
        checkOriginUser(record.originUser, msg.sender);
        checkCurrency(record.originCurrency, currency);
        checkAmount(amount, amount);
        checkLimits(currency, amount);
        checkRecipient(record.destinationChainId, record.destinationUser);
        checkDeadline(coSignature.deadline);
        checkAmountExpiry(record.requestId, amount, coSignature);
        (solver, payee) = checkSignature(record.digestOfCalldata(), signature);
        _consume(record.requestId, msg.sender);
    }

    function _forwardNative(address payee, bytes32 requestId) private {
        emit NativeDeposited(requestId, msg.sender, msg.value);
        TaggedTransfer.payNativeWithId(payee, msg.value, requestId);
    }

    function _forwardErc20(address token, address solver, uint256 amount, bytes32 requestId) private {
        emit Erc20Deposited(requestId, msg.sender, token, amount);
        MeasuredTransfer.transferFromWithId(token, msg.sender, solver, amount, requestId);
    }

    /// @dev Each check is a call of its own, so that one that fails does not hide the next. This contract's own reverts are
    /// short, so copying them whole costs nothing worth bounding.
    function _reasonsOf(bytes[] memory checks) private view returns (bytes[] memory reasons) {
        reasons = new bytes[](checks.length);
        uint256 count;
        for (uint256 i; i < checks.length; ++i) {
            (bool isPassed, bytes memory reason) = address(this).staticcall(checks[i]);
            if (!isPassed) reasons[count++] = reason;
        }
        assembly ("memory-safe") {
            mstore(reasons, count)
        }
    }
}
