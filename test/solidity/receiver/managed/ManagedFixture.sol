// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IManagedReceiverLens} from "../../../../contracts/interfaces/receiver/IManagedReceiverLens.sol";
import {IRecipientAllowList} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowList.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {ManagedReceiverLens} from "../../../../contracts/receiver/ManagedReceiverLens.sol";
import {SignatureRecord} from "../../../../contracts/records/SignatureRecord.sol";
import {SignatureRecordV2} from "../../../../contracts/records/SignatureRecordV2.sol";
import {LocalToken} from "../../../../contracts/service/currencies/LocalToken.sol";
import {RecordSigning} from "../../support/RecordSigning.sol";

/// @title ManagedFixture
/// @notice Two managed receivers with every policy on, one of each binding, and payments that are valid until a test alters
/// them. The test is the owner.
abstract contract ManagedFixture is RecordSigning {
    /// @notice The fuzzer's inputs: a payment of any kind.
    struct Draw {
        uint256 amount;
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        uint256 lifetime;
        bool isNative;
        bool isV2;
        bool bindsCaller;
    }

    /// @notice A call of a receiver. `currency` zero is a native deposit. `record` holds the words of both versions, except
    /// `destinationCurrency`, which only version 2 has.
    struct Deposit {
        ManagedReceiver receiver;
        address caller;
        address currency;
        uint256 amount;
        bool isV2;
        SignatureRecord.Record record;
        bytes32 destinationCurrency;
        bytes signature;
        IExpiryCoSignature.CoSignature coSignature;
    }

    uint256 internal constant SOLVER_KEY = uint256(keccak256("the solver's key"));
    uint256 internal constant CO_SIGNER_KEY = uint256(keccak256("the integrator's key"));
    uint256 internal constant STRANGER_KEY = uint256(keccak256("a stranger's key"));
    uint256 internal constant ACTIVATION_DELAY = 1 days;
    uint256 internal constant NOW = 1_800_000_000;

    /// @dev A multiple of the unit in which native limits are stored.
    uint128 internal constant MINIMUM = 1e12;
    uint128 internal constant MAXIMUM = 1e24;

    address internal immutable SOLVER = VM.addr(SOLVER_KEY);
    address internal immutable CO_SIGNER = VM.addr(CO_SIGNER_KEY);
    address internal immutable PAYEE = _account("native payee");
    address internal immutable DEPOSITOR = _account("depositor");
    address internal immutable STRANGER = _account("stranger");

    ManagedReceiver internal _byReceiver;
    ManagedReceiver internal _byCaller;
    ManagedReceiverLens internal _lens;
    LocalToken internal _token;

    function _deployManaged() internal {
        VM.warp(NOW);
        _token = new LocalToken("Token", "ONE", 6, address(this));
        _lens = new ManagedReceiverLens();
        _byReceiver = new ManagedReceiver(_configuration(IRecordReceiver.Binding.Receiver));
        _byCaller = new ManagedReceiver(_configuration(IRecordReceiver.Binding.Caller));
    }

    function _configuration(
        IRecordReceiver.Binding binding
    ) internal view returns (IManagedReceiver.Configuration memory configuration) {
        configuration.owner = address(this);
        configuration.binding = binding;
        configuration.activationDelay = ACTIVATION_DELAY;
        configuration.coSigner = CO_SIGNER;
        configuration.solvers = new ISolverSet.InitialSolver[](1);
        configuration.solvers[0] = ISolverSet.InitialSolver(SOLVER, PAYEE, false);
        configuration.limits = new ICurrencyLimits.CurrencyLimit[](2);
        configuration.limits[0] = ICurrencyLimits.CurrencyLimit(address(0), MINIMUM, MAXIMUM);
        configuration.limits[1] = ICurrencyLimits.CurrencyLimit(address(_token), MINIMUM, MAXIMUM);
    }

    /// @dev A deposit the receiver must accept: listed, funded, approved, signed and co-signed.
    function _validDeposit(Draw memory draw) internal returns (Deposit memory deposit) {
        deposit.receiver = draw.bindsCaller ? _byCaller : _byReceiver;
        deposit.caller = DEPOSITOR;
        deposit.currency = draw.isNative ? address(0) : address(_token);
        deposit.amount = _bound(draw.amount, MINIMUM, MAXIMUM);
        deposit.isV2 = draw.isV2;
        deposit.record = SignatureRecord.Record({
            requestId: draw.requestId,
            originChainId: block.chainid,
            originUser: _word(draw.bindsCaller ? DEPOSITOR : address(deposit.receiver)),
            originCurrency: _word(deposit.currency),
            originAmount: deposit.amount,
            destinationChainId: _bound(draw.destinationChainId, 0, type(uint64).max),
            destinationUser: bytes32(
                _bound(uint256(draw.destinationUser), uint256(type(uint64).max) + 1, type(uint256).max)
            )
        });
        deposit.destinationCurrency = keccak256(abi.encode(draw.requestId));
        deposit.coSignature.deadline = block.timestamp + _bound(draw.lifetime, 0, 1 days);
        _signSolver(SOLVER_KEY, deposit);
        _coSign(CO_SIGNER_KEY, deposit);
        _list(deposit, true);
        _fund(deposit);
    }

    function _signSolver(uint256 key, Deposit memory deposit) internal pure {
        deposit.signature = _signDigest(key, _digestOf(deposit));
    }

    /// @dev Signs the typed data, written out independently of the contract's hashing.
    function _coSign(uint256 key, Deposit memory deposit) internal view {
        uint256 deadline = deposit.coSignature.deadline;
        bytes32 requestId = deposit.record.requestId;
        bytes32 typehash =
            deposit.isV2
                ? keccak256("AmountExpiry(bytes32 requestId,uint256 amount,uint256 deadline)")
                : keccak256("Expiry(bytes32 requestId,uint256 deadline)");
        bytes memory encoded =
            deposit.isV2
                ? abi.encode(typehash, requestId, deposit.amount, deadline)
                : abi.encode(typehash, requestId, deadline);
        bytes32 digest = _typedDigest("Waybill", address(deposit.receiver), keccak256(encoded));
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        (deposit.coSignature.r, deposit.coSignature.vs) = (r, _yParityAndS(v, s));
    }

    /// @dev Makes all other fields valid for another amount.
    function _resign(Deposit memory deposit, uint256 amount) internal view {
        deposit.amount = amount;
        deposit.record.originAmount = amount;
        _signSolver(SOLVER_KEY, deposit);
        _coSign(CO_SIGNER_KEY, deposit);
    }

    function _list(Deposit memory deposit, bool isAllowed) internal {
        IRecipientAllowList.Recipient[] memory recipients = new IRecipientAllowList.Recipient[](1);
        recipients[0] = IRecipientAllowList.Recipient({
            chainId: deposit.record.destinationChainId,
            account: deposit.record.destinationUser
        });
        deposit.receiver.setRecipients(recipients, isAllowed);
    }

    /// @dev More than the payment takes, so that a payment of too much fails for no other reason.
    function _fund(Deposit memory deposit) internal {
        uint256 funds = 2 * uint256(MAXIMUM) + 1;
        VM.deal(deposit.caller, funds);
        _token.mint(deposit.caller, funds);
        VM.prank(deposit.caller);
        _token.approve(address(deposit.receiver), type(uint256).max);
    }

    function _recordV2(Deposit memory deposit) internal pure returns (SignatureRecordV2.Record memory) {
        return
            SignatureRecordV2.Record({
                requestId: deposit.record.requestId,
                originChainId: deposit.record.originChainId,
                originUser: deposit.record.originUser,
                originCurrency: deposit.record.originCurrency,
                destinationChainId: deposit.record.destinationChainId,
                destinationUser: deposit.record.destinationUser,
                destinationCurrency: deposit.destinationCurrency
            });
    }

    function _digestOf(Deposit memory deposit) internal pure returns (bytes32) {
        if (!deposit.isV2) return _digest(deposit.record);
        bytes32 recordHash = keccak256(
            abi.encode(
                deposit.record.requestId,
                deposit.record.originChainId,
                deposit.record.originUser,
                deposit.record.originCurrency,
                deposit.record.destinationChainId,
                deposit.record.destinationUser,
                deposit.destinationCurrency
            )
        );
        return _ethereumMessage(recordHash);
    }

    function _callOf(Deposit memory d) internal pure returns (bytes memory) {
        ManagedReceiver r = d.receiver;
        if (d.currency == address(0)) {
            if (d.isV2) return abi.encodeCall(r.depositNativeV2, (_recordV2(d), d.signature, d.coSignature));
            return abi.encodeCall(r.depositNative, (d.record, d.signature, d.coSignature));
        }
        if (d.isV2) {
            return
                abi.encodeCall(
                    r.depositErc20V2,
                    (d.currency, d.amount, _recordV2(d), d.signature, d.coSignature)
                );
        }
        return abi.encodeCall(r.depositErc20, (d.currency, d.amount, d.record, d.signature, d.coSignature));
    }

    function _attempt(Deposit memory deposit) internal returns (bool success, bytes memory reason) {
        VM.prank(deposit.caller);
        uint256 value = deposit.currency == address(0) ? deposit.amount : 0;
        (success, reason) = address(deposit.receiver).call{value: value}(_callOf(deposit));
    }

    /// @dev The lens gives no reason, and the deposit succeeds.
    function _assertAccepted(Deposit memory deposit) internal {
        _assertEq(_validate(deposit).length, 0);
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(reason, "");
        _assertEq(success, true);
    }

    /// @dev Reverts with exactly this reason, which the lens gives first, and moves neither money nor the id.
    function _assertRefused(Deposit memory deposit, bytes memory expected) internal {
        _assertEq(_validate(deposit)[0], expected);
        _assertReverts(deposit, expected);
    }

    function _assertReverts(Deposit memory deposit, bytes memory expected) internal {
        bytes memory before = _stateOf(deposit);
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(success, false);
        _assertEq(reason, expected);
        _assertEq(_stateOf(deposit), before);
    }

    function _validate(Deposit memory d) internal view returns (bytes[] memory reasons) {
        IManagedReceiverLens.Payment memory payment = IManagedReceiverLens.Payment({
            depositor: d.caller,
            currency: d.currency,
            amount: d.amount
        });
        address receiver = address(d.receiver);
        if (d.isV2) return _lens.validateV2(receiver, payment, _recordV2(d), d.signature, d.coSignature);
        return _lens.validate(receiver, payment, d.record, d.signature, d.coSignature);
    }

    /// @dev A deposit succeeds if the lens gives no reason, and otherwise reverts with the first reason, byte for byte.
    function _assertLensAgrees(Deposit memory deposit) internal returns (bool success) {
        bytes[] memory reasons = _validate(deposit);
        bytes memory reason;
        (success, reason) = _attempt(deposit);
        _assertEq(success, reasons.length == 0);
        if (!success) _assertEq(reason, reasons[0]);
    }

    function _stateOf(Deposit memory deposit) internal view returns (bytes memory) {
        address receiver = address(deposit.receiver);
        return
            abi.encode(
                deposit.receiver.depositorOf(deposit.record.requestId),
                [deposit.caller.balance, PAYEE.balance, SOLVER.balance, receiver.balance],
                [_token.balanceOf(deposit.caller), _token.balanceOf(SOLVER), _token.balanceOf(receiver)]
            );
    }

    function _word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
