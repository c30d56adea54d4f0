// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IManagedReceiverLens} from "../../../../contracts/interfaces/receiver/IManagedReceiverLens.sol";
import {IRecipientAllowListMapping} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {ManagedReceiverLens} from "../../../../contracts/receiver/ManagedReceiverLens.sol";
import {SignatureRecord} from "../../../../contracts/records/SignatureRecord.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
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
        bool bindsCaller;
    }

    /// @notice The deadline and the co-signer's signature over it, as they follow the solver's.
    struct CoSignature {
        uint256 deadline;
        bytes32 r;
        bytes32 vs;
    }

    /// @notice A call of a receiver. `currency` zero is a native deposit.
    struct Deposit {
        ManagedReceiver receiver;
        address caller;
        address currency;
        uint256 amount;
        SignatureRecord.Record record;
        bytes signature;
        CoSignature coSignature;
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
        deposit.record = SignatureRecord.Record({
            requestId: draw.requestId,
            originChainId: block.chainid,
            originUser: _word(draw.bindsCaller ? DEPOSITOR : address(deposit.receiver)),
            originCurrency: _word(deposit.currency),
            originAmount: deposit.amount,
            destinationChainId: _bound(draw.destinationChainId, 0, type(uint64).max),
            destinationUser: bytes32(_bound(uint256(draw.destinationUser), 1, type(uint256).max))
        });
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
        bytes32 typehash = keccak256("Expiry(bytes32 requestId,uint256 deadline)");
        bytes memory encoded = abi.encode(typehash, deposit.record.requestId, deposit.coSignature.deadline);
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
        IRecipientAllowListMapping.Recipient[] memory recipients = new IRecipientAllowListMapping.Recipient[](
            1
        );
        recipients[0] = IRecipientAllowListMapping.Recipient({
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

    function _digestOf(Deposit memory deposit) internal pure returns (bytes32) {
        return _digest(deposit.record);
    }

    /// @dev The solver's signature, then the co-signature.
    function _signatureOf(Deposit memory deposit) internal pure returns (bytes memory) {
        return abi.encodePacked(deposit.signature, abi.encode(deposit.coSignature));
    }

    function _callOf(Deposit memory d) internal pure returns (bytes memory) {
        SignatureRecord.Record memory r = d.record;
        (bytes32 id, uint256 chain, bytes32 user) = (r.requestId, r.destinationChainId, r.destinationUser);
        if (d.currency == address(0)) {
            return abi.encodeCall(IRecordReceiver.deposit, (id, chain, user, _signatureOf(d)));
        }
        return
            abi.encodeCall(
                IRecordReceiver.depositErc20,
                (d.currency, d.amount, id, chain, user, _signatureOf(d))
            );
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
        return _lens.validate(address(d.receiver), payment, d.record, _signatureOf(d));
    }

    /// @dev A deposit succeeds exactly if the lens gives no reason. Its reason is among them, unless the payment differs
    /// from the record: the receiver then recovers another signer.
    function _assertLensAgrees(Deposit memory deposit) internal returns (bool success) {
        bytes[] memory reasons = _validate(deposit);
        bytes memory reason;
        (success, reason) = _attempt(deposit);
        _assertEq(success, reasons.length == 0);
        bool isNamed = success;
        for (uint256 i; i < reasons.length; ++i) {
            if (keccak256(reasons[i]) == keccak256(reason) || _isField(bytes4(reasons[i]))) isNamed = true;
        }
        _assertEq(isNamed, true);
    }

    /// @dev The lens names the field first, and the deposit reverts with an error about the signature.
    function _assertFieldNamed(Deposit memory deposit, bytes memory expected) internal {
        _assertEq(_validate(deposit)[0], expected);
        bytes memory before = _stateOf(deposit);
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(success, false);
        _assertNotSigned(reason);
        _assertEq(_stateOf(deposit), before);
    }

    function _assertNotSigned(bytes memory reason) internal pure {
        bool isNobody = bytes4(reason) == SolverSignature.SignatureRecoversNobody.selector;
        if (!isNobody) _assertSelector(reason, ISolverSet.SignerNotSolver.selector);
    }

    function _isField(bytes4 reason) internal pure returns (bool) {
        return
            reason == IManagedReceiverLens.RecordForOtherChain.selector ||
            reason == IManagedReceiverLens.OriginUserMismatch.selector ||
            reason == IManagedReceiverLens.CurrencyMismatch.selector ||
            reason == IManagedReceiverLens.AmountMismatch.selector;
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
