// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IManagedReceiverLens} from "../../../../contracts/interfaces/receiver/IManagedReceiverLens.sol";
import {IPausePolicy} from "../../../../contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {IRecipientAllowListMapping} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ContractSigner} from "../../../../contracts/mocks/ContractSigner.sol";
import {ReturndataBomb} from "../../../../contracts/mocks/ReturndataBomb.sol";
import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {SignatureRecord} from "../../../../contracts/records/SignatureRecord.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedReceiverLensTest
/// @notice The lens and a deposit agree on any payment in any state of the policies: the lens gives no reason exactly
/// if the deposit succeeds.
contract ManagedReceiverLensTest is ManagedFixture {
    /// @dev The number of mistakes of `_mistakes`, each chosen by a bit.
    uint256 private constant KINDS = 11;

    /// @dev One choice in so many changes something.
    uint256 private constant CHOICES = 8;

    ContractSigner private _wallet;

    function setUp() public {
        _deployManaged();
        VM.deal(address(this), 2 * uint256(MAXIMUM));
        _wallet = new ContractSigner(VM.addr(STRANGER_KEY));
        uint40 start = uint40(block.timestamp + ACTIVATION_DELAY);
        _byReceiver.addSolver(address(_wallet), PAYEE, start, true);
        _byCaller.addSolver(address(_wallet), PAYEE, start, true);
        VM.warp(start);
    }

    function testFuzz_OneMistakeIsTheOnlyReasonAndTheDepositRevertsWithIt(
        Draw memory draw,
        uint256 kind,
        uint256 value
    ) public {
        kind = kind % KINDS;
        _assertEq(_assertMistakesAreNamed(draw, 1 << kind, value), 1);
    }

    function testFuzz_AnyMixtureOfMistakesIsNamedInTheOrderOfTheChecks(
        Draw memory draw,
        uint256 mistakes,
        uint256 value
    ) public {
        _assertMistakesAreNamed(draw, mistakes, value);
    }

    function testFuzz_AnyRecordAndSignaturesAreJudgedAsADepositWould(
        Draw memory draw,
        bytes32[7] memory words,
        bytes memory signature,
        CoSignature memory coSignature
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.record.requestId = words[0];
        deposit.record.originChainId = uint256(words[1]);
        deposit.record.originUser = words[2];
        deposit.record.originCurrency = words[3];
        deposit.record.originAmount = uint256(words[4]);
        deposit.record.destinationChainId = uint256(words[5]);
        deposit.record.destinationUser = words[6];
        deposit.signature = signature;
        deposit.coSignature = coSignature;
        _assertLensAgrees(deposit);
    }

    function testFuzz_OneChangedFieldIsJudgedAsADepositWould(
        Draw memory draw,
        uint256 field,
        uint256 flips,
        bool isResigned
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        field = field % 9;
        if (field == 0) deposit.record.requestId ^= bytes32(flips);
        else if (field == 1) deposit.record.originChainId ^= flips;
        else if (field == 2) deposit.record.originUser ^= bytes32(flips);
        else if (field == 3) deposit.record.originCurrency ^= bytes32(flips);
        else if (field == 4) deposit.record.originAmount ^= flips;
        else if (field == 5) deposit.record.destinationChainId ^= flips;
        else if (field == 6) deposit.record.destinationUser ^= bytes32(flips);
        else if (field == 7) deposit.coSignature.vs ^= bytes32(flips);
        else deposit.coSignature.deadline ^= flips;
        // A deposit carries no origin fields: one that the solver did not sign would be the lens' alone.
        if (isResigned || (field >= 1 && field <= 4)) _signSolver(SOLVER_KEY, deposit);
        _assertLensAgrees(deposit);
    }

    function testFuzz_AnyStateOfThePoliciesIsJudgedAsADepositWould(
        Draw memory draw,
        uint8[9] memory choices,
        uint256 value
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        for (uint256 i; i < choices.length; ++i) choices[i] %= uint8(CHOICES);
        _change(deposit, choices, value);
        _assertLensAgrees(deposit);
    }

    function testFuzz_AnyOneChangeIsJudgedAsADepositWould(
        Draw memory draw,
        uint256 policy,
        uint8 choice,
        uint256 value
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        uint8[9] memory choices;
        for (uint256 i; i < choices.length; ++i) choices[i] = uint8(CHOICES - 1);
        choices[policy % choices.length] = choice % 4;
        _change(deposit, choices, value);
        _assertLensAgrees(deposit);
    }

    function testFuzz_AContractSolverIsJudgedAsADepositWould(Draw memory draw, uint8 mode) public {
        Deposit memory deposit = _validDeposit(draw);
        _signByWallet(deposit);
        mode %= 3;
        _wallet.setMode(mode);
        // The wallet verifies its own signature, any signature, or none.
        _assertEq(_assertLensAgrees(deposit), mode != 2);
    }

    /// @dev No code, no such function, and every call accepted with an empty, a short and a long answer.
    function test_RevertWhen_AnAccountIsNoReceiver() public {
        Draw memory draw;
        Deposit memory deposit = _validDeposit(draw);
        address[5] memory others = [
            STRANGER,
            address(_token),
            address(new ReturndataBomb(0, false)),
            address(new ReturndataBomb(31, false)),
            address(new ReturndataBomb(33, false))
        ];
        for (uint256 i; i < others.length; ++i) {
            deposit.receiver = ManagedReceiver(payable(others[i]));
            bytes4 selector = IManagedReceiverLens.NotManagedReceiver.selector;
            VM.expectRevert(abi.encodeWithSelector(selector, others[i]));
            this.validate(deposit);
        }
    }

    /// @dev Each of the 32 policies that the lens asks for is a function that a pinned receiver has not.
    function test_AReceiverWithoutPoliciesGetsAllReasonsOfTheLensAndOneForEachPolicy() public {
        PinnedReceiver pinned = new PinnedReceiver(SOLVER, PAYEE, IRecordReceiver.Binding.Receiver, PAYEE);
        Draw memory draw;
        draw.isNative = true;
        Deposit memory deposit = _validDeposit(draw);
        deposit.record.originUser = _word(address(pinned));
        bytes memory signature = _signDigest(SOLVER_KEY, _digestOf(deposit));
        SignatureRecord.Record memory r = deposit.record;
        pinned.deposit{value: deposit.amount}(
            r.requestId,
            r.destinationChainId,
            r.destinationUser,
            signature
        );
        deposit.receiver = ManagedReceiver(payable(address(pinned)));
        (deposit.amount, deposit.currency) = (0, address(_token));
        (r.destinationChainId, r.originChainId, r.originUser) = (type(uint256).max, 1, 0);
        _assertEq(this.validate(deposit).length, 7 + 32);
    }

    /// @notice External, so that a revert can be expected.
    function validate(Deposit memory deposit) external view returns (bytes[] memory reasons) {
        return _validate(deposit);
    }

    function _assertMistakesAreNamed(
        Draw memory draw,
        uint256 mistakes,
        uint256 value
    ) private returns (uint256 count) {
        if (_has(mistakes, 10)) _assertAccepted(_validDeposit(draw));
        Deposit memory deposit = _validDeposit(draw);
        bytes[] memory expected = new bytes[](KINDS);
        count = _makeMistakesOfRecord(deposit, mistakes, value, expected);
        count = _makeMistakesOfPolicies(deposit, mistakes, value, expected, count);

        bytes[] memory reasons = _validate(deposit);

        _assertEq(reasons.length, count);
        for (uint256 i; i < count; ++i) _assertEq(reasons[i], expected[i]);
        _assertEq(_assertLensAgrees(deposit), count == 0);
    }

    /// @dev Makes the mistakes whose bits are set, and lists the reasons in the order of the checks.
    function _makeMistakesOfRecord(
        Deposit memory deposit,
        uint256 mistakes,
        uint256 value,
        bytes[] memory reasons
    ) private view returns (uint256 count) {
        uint256 flips = _bound(value, 1, type(uint128).max);
        SignatureRecord.Record memory record = deposit.record;
        if (_has(mistakes, 1)) {
            record.originChainId ^= flips;
            bytes4 selector = IManagedReceiverLens.RecordForOtherChain.selector;
            reasons[count++] = abi.encodeWithSelector(selector, record.originChainId, block.chainid);
        }
        if (_has(mistakes, 2)) {
            bytes32 wanted = record.originUser;
            record.originUser ^= bytes32(flips);
            bytes4 selector = IManagedReceiverLens.OriginUserMismatch.selector;
            reasons[count++] = abi.encodeWithSelector(selector, record.originUser, wanted);
        }
        if (_has(mistakes, 3)) {
            bytes32 paid = record.originCurrency;
            record.originCurrency ^= bytes32(flips);
            bytes4 selector = IManagedReceiverLens.CurrencyMismatch.selector;
            reasons[count++] = abi.encodeWithSelector(selector, record.originCurrency, paid);
        }
        if (_has(mistakes, 4)) {
            record.originAmount ^= flips;
            bytes4 selector = IManagedReceiverLens.AmountMismatch.selector;
            reasons[count++] = abi.encodeWithSelector(selector, record.originAmount, deposit.amount);
        }
    }

    function _makeMistakesOfPolicies(
        Deposit memory deposit,
        uint256 mistakes,
        uint256 value,
        bytes[] memory reasons,
        uint256 count
    ) private returns (uint256) {
        if (_has(mistakes, 10)) {
            bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
            reasons[count++] = abi.encodeWithSelector(selector, deposit.record.requestId);
        }
        _signSolver(_has(mistakes, 9) ? STRANGER_KEY : SOLVER_KEY, deposit);
        if (_has(mistakes, 9)) {
            bytes4 selector = ISolverSet.SignerNotSolver.selector;
            reasons[count++] = abi.encodeWithSelector(selector, VM.addr(STRANGER_KEY));
        }
        if (_has(mistakes, 6)) {
            _list(deposit, false);
            reasons[count++] = abi.encodeWithSelector(
                IRecipientAllowListMapping.RecipientNotAllowed.selector,
                deposit.record.destinationChainId,
                deposit.record.destinationUser
            );
        }
        if (_has(mistakes, 8)) _coSign(STRANGER_KEY, deposit);
        if (_has(mistakes, 7)) {
            uint256 deadline = deposit.coSignature.deadline;
            VM.warp(deadline + _bound(value, 1, 365 days));
            bytes4 selector = IExpiryCoSignature.DepositExpired.selector;
            reasons[count++] = abi.encodeWithSelector(selector, deadline, block.timestamp);
        } else if (_has(mistakes, 8)) {
            bytes4 selector = IExpiryCoSignature.NotCoSigned.selector;
            reasons[count++] = abi.encodeWithSelector(selector, VM.addr(STRANGER_KEY), CO_SIGNER);
        }
        if (_has(mistakes, 0)) {
            deposit.receiver.setPaused(true);
            reasons[count++] = abi.encodePacked(IPausePolicy.DepositsPaused.selector);
        }
        if (_has(mistakes, 5)) {
            deposit.receiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(deposit.currency, 0, 0));
            bytes4 selector = ICurrencyLimits.CurrencyNotAccepted.selector;
            reasons[count++] = abi.encodeWithSelector(selector, deposit.currency);
        }
        return count;
    }

    /// @dev Makes the changes that the choices select between signing and paying. Most choices change nothing, so
    /// that deposits also succeed.
    function _change(Deposit memory deposit, uint8[9] memory choices, uint256 value) private {
        _changeAuthority(deposit, choices[0], choices[1], value);
        if (choices[2] == 0) _assertLensAgrees(deposit);
        _changePolicies(deposit, choices[3], choices[4], value);
        if (choices[5] == 0) deposit.receiver.setPaused(true);
        _changePayment(deposit, choices[6], value);
        if (choices[7] == 0) VM.warp(block.timestamp + (value % 3 days));
        if (choices[8] == 0) VM.chainId(_bound(value, 1, type(uint64).max));
    }

    function _changeAuthority(
        Deposit memory deposit,
        uint256 solver,
        uint256 coSigner,
        uint256 value
    ) private {
        if (solver == 0) deposit.receiver.retireSolver(SOLVER, uint40(block.timestamp));
        if (solver == 1) deposit.receiver.retireSolver(SOLVER, uint40(block.timestamp + (value % 2 days)));
        if (solver == 2) _signSolver(_boundKey(value), deposit);
        if (solver == 3) _signByWallet(deposit);
        // A wallet that approves everything would also approve the record of another payment.
        if (solver == 3) _wallet.setMode(value % 2 == 0 ? 0 : 2);

        if (coSigner == 0) deposit.receiver.setCoSigner(address(0));
        if (coSigner == 1) deposit.receiver.setCoSigner(VM.addr(_boundKey(value)));
        if (coSigner == 2) _coSign(_boundKey(value), deposit);
        if (coSigner == 3) deposit.coSignature.vs ^= bytes32(value);
    }

    function _changePolicies(
        Deposit memory deposit,
        uint256 recipients,
        uint256 limits,
        uint256 value
    ) private {
        if (recipients < 2) _list(deposit, false);
        if (recipients == 1 || recipients == 2) deposit.receiver.setRecipientListOpen(true);

        uint256 unit = 1e12;
        uint256 units = _bound(value, 0, 1e12);
        uint128 minimum = uint128(units * unit);
        uint128 maximum = uint128(_bound(uint256(keccak256(abi.encode(value))), units, 1e12) * unit);
        if (limits == 0) (minimum, maximum) = (0, 0);
        if (limits == 1) (minimum, maximum) = (0, type(uint128).max);
        if (limits > 2) return;
        deposit.receiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(deposit.currency, minimum, maximum));
    }

    function _changePayment(Deposit memory deposit, uint256 payment, uint256 value) private {
        if (payment == 0) deposit.amount = _bound(value, 0, 2 * uint256(MAXIMUM));
        if (payment == 1) deposit.caller = STRANGER;
        if (payment == 2) deposit.currency = deposit.currency == address(0) ? address(_token) : address(0);
        // Again, because a replay follows a payment.
        _fund(deposit);
    }

    function _signByWallet(Deposit memory deposit) private view {
        _signSolver(STRANGER_KEY, deposit);
        deposit.signature = abi.encodePacked(address(_wallet), deposit.signature);
    }

    function _has(uint256 mistakes, uint256 kind) private pure returns (bool) {
        return (mistakes >> kind) & 1 == 1;
    }
}
