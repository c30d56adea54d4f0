// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ContractSigner} from "../../../../contracts/mocks/ContractSigner.sol";
import {ReturndataBomb} from "../../../../contracts/mocks/ReturndataBomb.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {Signing} from "../../support/Signing.sol";
import {SolverDesk} from "./SolverDesk.sol";

/// @title SolverSetTest
/// @notice Times at which a signer is a solver: rotation with delay and overlap, and contracts that verify
/// themselves.
contract SolverSetTest is Signing {
    uint256 private constant NOW = 1_800_000_000;
    uint256 private constant DELAY = 2 days;
    uint40 private constant NEVER = type(uint40).max;
    uint40 private constant SOONEST = uint40(NOW + DELAY);
    uint256 private constant OLD_KEY = uint256(keccak256("the old solver's key"));
    uint256 private constant NEW_KEY = uint256(keccak256("the new solver's key"));

    address private immutable OLD = VM.addr(OLD_KEY);
    address private immutable NEW = VM.addr(NEW_KEY);
    address private immutable PAYEE = _account("payee");
    address private immutable NEW_PAYEE = _account("new payee");

    SolverDesk private _desk;
    ContractSigner private _wallet;

    function setUp() public {
        VM.warp(NOW);
        _wallet = new ContractSigner(NEW);
        ISolverSet.InitialSolver[] memory solvers = new ISolverSet.InitialSolver[](2);
        solvers[0] = ISolverSet.InitialSolver(OLD, PAYEE, false);
        solvers[1] = ISolverSet.InitialSolver(address(_wallet), PAYEE, true);
        _desk = new SolverDesk(address(this), DELAY, solvers);
    }

    function testFuzz_InitialSolversAreActiveFromTheStart(uint256 count) public {
        count = _bound(count, 2, 10);
        address[] memory solvers = new address[](count);
        for (uint256 i; i < count; ++i) solvers[i] = address(uint160(i + 1));
        SolverDesk desk = deploy(solvers);
        for (uint256 i; i < count; ++i) {
            _assertEq(desk.isActiveSolver(solvers[i]), true);
            _assertEq(desk.solverOf(solvers[i]).nativePayee, PAYEE);
        }
        _assertEq(desk.isActiveSolver(address(uint160(count + 1))), false);
    }

    function testFuzz_RevertWhen_AnInitialSolverIsRepeated(address solver, address between) public {
        VM.assume(solver != address(0) && between != address(0) && solver != between);
        address[] memory solvers = new address[](3);
        (solvers[0], solvers[1], solvers[2]) = (solver, between, solver);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverAlreadyAdded.selector, solver, NEVER));
        this.deploy(solvers);
    }

    function testFuzz_RevertWhen_ASolverWouldStartBeforeTheDelay(uint256 activeFrom) public {
        uint256[2] memory early = [_bound(activeFrom, 0, SOONEST - 1), SOONEST - 1];
        for (uint256 i; i < 2; ++i) {
            bytes4 selector = ISolverSet.ActivationTooSoon.selector;
            VM.expectRevert(abi.encodeWithSelector(selector, early[i], SOONEST));
            _desk.addSolver(NEW, NEW_PAYEE, uint40(early[i]), false);
        }
    }

    function test_RevertWhen_ASolverOrItsPayeeIsZeroOrTheContractItself() public {
        bytes memory isZero = abi.encodePacked(IRecordReceiver.AddressIsZero.selector);
        bytes4 selector = IRefundReceiver.RecipientCannotHold.selector;
        bytes memory isDesk = abi.encodeWithSelector(selector, address(_desk));
        VM.expectRevert(isZero);
        _desk.addSolver(address(0), NEW_PAYEE, SOONEST, false);
        VM.expectRevert(isZero);
        _desk.addSolver(NEW, address(0), SOONEST, false);
        VM.expectRevert(isDesk);
        _desk.addSolver(address(_desk), NEW_PAYEE, SOONEST, true);
        VM.expectRevert(isDesk);
        _desk.addSolver(NEW, address(_desk), SOONEST, false);
        _assertEq(_desk.solverOf(NEW).activeUntil, 0);
    }

    function test_RevertWhen_ASolverIsAddedAgainBeforeItsRetirement() public {
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverAlreadyAdded.selector, OLD, NEVER));
        _desk.addSolver(OLD, NEW_PAYEE, SOONEST, false);

        uint40 end = uint40(NOW + 5 days);
        _desk.retireSolver(OLD, end);
        VM.warp(end - 1);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverAlreadyAdded.selector, OLD, end));
        _desk.addSolver(OLD, NEW_PAYEE, end + uint40(DELAY), false);

        VM.warp(end);
        _desk.addSolver(OLD, NEW_PAYEE, end + uint40(DELAY), false);
        _assertEq(_desk.solverOf(OLD).nativePayee, NEW_PAYEE);
        _assertEq(_desk.isActiveSolver(OLD), false);
    }

    function test_RevertWhen_AnAccountOutsideTheSetIsRetired() public {
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverNotAdded.selector, NEW));
        _desk.retireSolver(NEW, uint40(NOW));
    }

    function testFuzz_RevertWhen_ARetirementLiesInThePast(uint256 end) public {
        end = _bound(end, 0, NOW - 1);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.RetirementInPast.selector, end, NOW));
        _desk.retireSolver(OLD, uint40(end));
    }

    function testFuzz_ARetirementIsBroughtForwardButNeverPutOff(uint256 end, uint256 other) public {
        end = _bound(end, NOW, NEVER);
        other = _bound(other, NOW, NEVER);
        _desk.retireSolver(OLD, uint40(end));
        if (other > end) {
            VM.expectRevert(abi.encodeWithSelector(ISolverSet.RetirementPutOff.selector, other, end));
        }
        _desk.retireSolver(OLD, uint40(other));
        _assertEq(_desk.solverOf(OLD).activeUntil, other > end ? end : other);
    }

    function testFuzz_DuringTheOverlapBothSolversAreAcceptedAndOutsideItOne(
        bytes32 digest,
        uint256 time
    ) public {
        uint256 end = SOONEST + 1 days;
        CHEATS.expectEmit(address(_desk));
        emit ISolverSet.SolverAdded(NEW, NEW_PAYEE, SOONEST, false);
        _desk.addSolver(NEW, NEW_PAYEE, SOONEST, false);
        CHEATS.expectEmit(address(_desk));
        emit ISolverSet.SolverRetired(OLD, end);
        _desk.retireSolver(OLD, uint40(end));
        time = _bound(time, NOW, end + 1 days);
        uint256[5] memory times = [SOONEST - 1, SOONEST, end - 1, end, time];
        for (uint256 i; i < times.length; ++i) {
            VM.warp(times[i]);
            (bool isOldActive, bool isNewActive) = (times[i] < end, times[i] >= SOONEST);
            _assertEq(_desk.isActiveSolver(OLD), isOldActive);
            _assertEq(_desk.isActiveSolver(NEW), isNewActive);
            _assertSigns(OLD_KEY, digest, isOldActive, [NOW, end], PAYEE);
            _assertSigns(NEW_KEY, digest, isNewActive, [uint256(SOONEST), NEVER], NEW_PAYEE);
        }
    }

    function test_AnAnnouncementCanBeWithdrawnBeforeItTakesEffect() public {
        _desk.addSolver(NEW, NEW_PAYEE, SOONEST, false);
        _desk.retireSolver(NEW, uint40(NOW));
        VM.warp(NOW + 2 * DELAY);
        _assertEq(_desk.isActiveSolver(NEW), false);
    }

    function testFuzz_RevertWhen_TheSignerIsNoSolver(uint256 seed, bytes32 digest, bool isCompact) public {
        uint256 key = _boundKey(seed);
        VM.assume(key != OLD_KEY);
        bytes memory signature = isCompact ? _signDigestCompact(key, digest) : _signDigest(key, digest);
        _assertRefused(
            digest,
            signature,
            abi.encodeWithSelector(ISolverSet.SignerNotSolver.selector, VM.addr(key))
        );
    }

    function testFuzz_ACompactSignatureOfAnActiveSolverPasses(bytes32 digest) public view {
        (address solver, address payee) = _desk.checkSignature(digest, _signDigestCompact(OLD_KEY, digest));
        _assertEq(solver, OLD);
        _assertEq(payee, PAYEE);
    }

    function testFuzz_RevertWhen_AKeySignsForASolverThatVerifiesItself(bytes32 digest) public {
        _desk.addSolver(NEW, NEW_PAYEE, SOONEST, true);
        VM.warp(SOONEST);
        _assertRefused(
            digest,
            _signDigest(NEW_KEY, digest),
            abi.encodeWithSelector(ISolverSet.SolverUsesErc1271.selector, NEW)
        );
    }

    function testFuzz_AContractSolverVerifiesItself(bytes32 digest) public view {
        bytes memory signature = abi.encodePacked(_wallet, _signDigest(NEW_KEY, digest));
        (address solver, address payee) = _desk.checkSignature(digest, signature);
        _assertEq(solver, address(_wallet));
        _assertEq(payee, PAYEE);
    }

    function testFuzz_RevertWhen_AContractSolverRefusesOrReverts(bytes32 digest) public {
        bytes4 selector = ISolverSet.ContractSignatureRefused.selector;
        _assertRefused(
            digest,
            abi.encodePacked(_wallet, _signDigest(OLD_KEY, digest)),
            abi.encodeWithSelector(selector, _wallet, abi.encode(bytes4(0xffffffff)))
        );
        _wallet.setMode(2);
        bytes memory reason = abi.encodePacked(ContractSigner.WalletReverts.selector);
        _assertRefused(
            digest,
            abi.encodePacked(_wallet, _signDigest(NEW_KEY, digest)),
            abi.encodeWithSelector(selector, _wallet, reason)
        );
    }

    function testFuzz_RevertWhen_AContractSolverAnswersWithLessThanAWord(bytes32 digest) public {
        // The word in scratch memory ends with the last byte of the address, here zero like the missing byte.
        address wallet = address(0xabcd00);
        // PUSH4 0x1626ba7e, PUSH1 224, SHL, PUSH0, MSTORE, PUSH1 31, PUSH0, RETURN
        _become(wallet, hex"631626ba7e60e01b5f52601f5ff3");
        _desk.addSolver(wallet, NEW_PAYEE, SOONEST, true);
        VM.warp(SOONEST);
        _assertRefused(
            digest,
            abi.encodePacked(wallet, _signDigest(NEW_KEY, digest)),
            abi.encodeWithSelector(
                ISolverSet.ContractSignatureRefused.selector,
                wallet,
                abi.encodePacked(bytes31(0x1626ba7e000000000000000000000000000000000000000000000000000000))
            )
        );
    }

    /// @notice A limit that `ISolverSet` names: do not add both a key and a wallet of that key.
    function testFuzz_AuditA11_OneSignaturePaysAKeyOrItsWallet(bytes32 digest) public {
        _desk.addSolver(NEW, NEW_PAYEE, SOONEST, false);
        VM.warp(SOONEST);
        bytes memory signature = _signDigest(NEW_KEY, digest);
        (address key, ) = _desk.checkSignature(digest, signature);
        (address wallet, ) = _desk.checkSignature(digest, abi.encodePacked(_wallet, signature));
        _assertEq(key, NEW);
        _assertEq(wallet, address(_wallet));
    }

    function testFuzz_AuditA11_RevertWhen_TheActivationDelayIsAboveAYear(uint256 delay) public {
        delay = _bound(delay, 365 days + 1, type(uint256).max);
        ISolverSet.InitialSolver[] memory none = new ISolverSet.InitialSolver[](0);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.ActivationDelayTooLong.selector, delay, 365 days));
        new SolverDesk(address(this), delay, none);
    }

    function test_RevertGiven_AContractSolverIsRetired() public {
        _desk.retireSolver(address(_wallet), uint40(NOW));
        _assertRefused(
            0,
            abi.encodePacked(_wallet, _signDigest(NEW_KEY, 0)),
            abi.encodeWithSelector(ISolverSet.SolverNotActive.selector, _wallet, NOW, NOW, NOW)
        );
    }

    function testFuzz_RevertWhen_AContractThatIsNoSolverNamesItself(bytes32 digest) public {
        ContractSigner stranger = new ContractSigner(NEW);
        stranger.setMode(1);
        _assertLengthRefused(digest, abi.encodePacked(stranger, _signDigest(NEW_KEY, digest)));
    }

    function testFuzz_RevertWhen_ASolverWithAKeyIsNamedAsAContract(bytes32 digest, bytes memory rest) public {
        VM.assume(rest.length != 44 && rest.length != 45);
        _assertLengthRefused(digest, abi.encodePacked(OLD, rest));
    }

    /// @dev 63 bytes are neither form of a signature, and name no contract of the set.
    function testFuzz_RevertWhen_ASignatureIsCut(bytes32 digest, uint256 length) public {
        _assertLengthRefused(digest, new bytes(_bound(length, 0, 19)));
        bytes memory signature = _signDigestCompact(OLD_KEY, digest);
        assembly ("memory-safe") {
            mstore(signature, 63)
        }
        _assertLengthRefused(digest, signature);
    }

    function test_RevertGiven_AContractSolverHasNoCodeYet() public {
        _assertAnswerRefused(_account("counterfactual"), "");
    }

    function test_RevertWhen_TheMagicValueIsFollowedByOtherBytesOrCut() public {
        bytes[2] memory answers = [
            abi.encodePacked(bytes4(0x1626ba7e), uint224(1)),
            abi.encodePacked(bytes4(0x1626ba7e))
        ];
        for (uint256 i; i < answers.length; ++i) {
            address solver = _account(string(answers[i]));
            VM.etch(solver, _returning(answers[i]));
            _assertAnswerRefused(solver, answers[i]);
        }
    }

    function test_RevertWhen_AContractSolverAnswersWithAHugeBufferWhichIsCut() public {
        ReturndataBomb bomb = new ReturndataBomb(100_000, true);
        _desk.addSolver(address(bomb), PAYEE, SOONEST, true);
        VM.warp(SOONEST);
        (bool success, bytes memory reason) = address(_desk).staticcall(
            abi.encodeCall(_desk.checkSignature, (0, abi.encodePacked(bomb)))
        );
        _assertEq(success, false);
        _assertSelector(reason, ISolverSet.ContractSignatureRefused.selector);
        // The selector, the solver, and the answer with its offset and length.
        _assertEq(reason.length, 4 + 3 * 32 + 1024);
    }

    /// @notice Deploys a set; external, so that a revert of the constructor can be expected.
    function deploy(address[] memory solvers) public returns (SolverDesk) {
        ISolverSet.InitialSolver[] memory initial = new ISolverSet.InitialSolver[](solvers.length);
        for (uint256 i; i < solvers.length; ++i) {
            initial[i] = ISolverSet.InitialSolver(solvers[i], PAYEE, false);
        }
        return new SolverDesk(address(this), 0, initial);
    }

    function _assertAnswerRefused(address solver, bytes memory answer) private {
        uint256 start = block.timestamp + DELAY;
        _desk.addSolver(solver, PAYEE, uint40(start), true);
        VM.warp(start);
        bytes4 selector = ISolverSet.ContractSignatureRefused.selector;
        _assertRefused(0, abi.encodePacked(solver), abi.encodeWithSelector(selector, solver, answer));
    }

    /// @dev Code that returns the bytes after it: PUSH1 size, PUSH1 10, PUSH0, CODECOPY, PUSH1 size, PUSH0, RETURN.
    function _returning(bytes memory data) private pure returns (bytes memory) {
        uint8 size = uint8(data.length);
        return abi.encodePacked(hex"60", size, hex"600a5f3960", size, hex"5ff3", data);
    }

    function _assertSigns(
        uint256 key,
        bytes32 digest,
        bool isActive,
        uint256[2] memory window,
        address payee
    ) private {
        bytes memory signature = _signDigest(key, digest);
        if (!isActive) {
            bytes4 selector = ISolverSet.SolverNotActive.selector;
            _assertRefused(
                digest,
                signature,
                abi.encodeWithSelector(selector, VM.addr(key), window[0], window[1], block.timestamp)
            );
            return;
        }
        (address solver, address nativePayee) = _desk.checkSignature(digest, signature);
        _assertEq(solver, VM.addr(key));
        _assertEq(nativePayee, payee);
    }

    function _assertLengthRefused(bytes32 digest, bytes memory signature) private {
        bytes4 selector = SolverSignature.SignatureLengthInvalid.selector;
        _assertRefused(digest, signature, abi.encodeWithSelector(selector, signature.length));
    }

    function _assertRefused(bytes32 digest, bytes memory signature, bytes memory reason) private {
        VM.expectRevert(reason);
        _desk.checkSignature(digest, signature);
    }
}
