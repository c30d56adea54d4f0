// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {Ownable} from "solady/src/auth/Ownable.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ContractSigner} from "../../../../contracts/mocks/ContractSigner.sol";
import {ReturndataBomb} from "../../../../contracts/mocks/ReturndataBomb.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {IClock} from "../managed/IClock.sol";
import {Test} from "../../support/Test.sol";
import {SolverDesk} from "./SolverDesk.sol";

/// @title SolverSetTest
/// @notice Who may sign, and when: rotation with its delay and overlap, and contracts that verify themselves.
contract SolverSetTest is Test {
    IClock private constant CLOCK = IClock(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    uint256 private constant NOW = 1_800_000_000;
    uint256 private constant DELAY = 2 days;
    uint40 private constant NEVER = type(uint40).max;
    uint256 private constant OLD_KEY = uint256(keccak256("the old solver's key"));
    uint256 private constant NEW_KEY = uint256(keccak256("the new solver's key"));

    address private immutable OLD = VM.addr(OLD_KEY);
    address private immutable NEW = VM.addr(NEW_KEY);
    address private immutable PAYEE = _account("payee");
    address private immutable NEW_PAYEE = _account("new payee");

    SolverDesk private _desk;
    ContractSigner private _wallet;

    function setUp() public {
        CLOCK.warp(NOW);
        _wallet = new ContractSigner(NEW);
        ISolverSet.InitialSolver[] memory solvers = new ISolverSet.InitialSolver[](2);
        solvers[0] = ISolverSet.InitialSolver({solver: OLD, nativePayee: PAYEE, usesErc1271: false});
        solvers[1] = ISolverSet.InitialSolver({
            solver: address(_wallet),
            nativePayee: PAYEE,
            usesErc1271: true
        });
        _desk = new SolverDesk(address(this), DELAY, solvers);
    }

    function testFuzz_RevertWhen_AnybodyElseRotates(address caller) public {
        VM.assume(caller != address(this));
        VM.expectRevert(abi.encodePacked(Ownable.Unauthorized.selector));
        VM.prank(caller);
        _desk.addSolver(NEW, NEW_PAYEE, NEVER, false);

        VM.expectRevert(abi.encodePacked(Ownable.Unauthorized.selector));
        VM.prank(caller);
        _desk.retireSolver(OLD, uint40(NOW));
    }

    function testFuzz_RevertWhen_ASolverWouldStartBeforeTheDelay(uint256 activeFrom) public {
        activeFrom = _bound(activeFrom, 0, NOW + DELAY - 1);
        VM.expectRevert(
            abi.encodeWithSelector(ISolverSet.ActivationTooSoon.selector, activeFrom, NOW + DELAY)
        );
        _desk.addSolver(NEW, NEW_PAYEE, uint40(activeFrom), false);
    }

    function test_RevertWhen_ASolverOrItsPayeeIsZero() public {
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        _desk.addSolver(address(0), NEW_PAYEE, uint40(NOW + DELAY), false);
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        _desk.addSolver(NEW, address(0), uint40(NOW + DELAY), false);
    }

    function test_RevertWhen_ASolverOrItsPayeeIsTheContractItself() public {
        bytes memory reason = abi.encodeWithSelector(
            IRefundReceiver.RecipientCannotHold.selector,
            address(_desk)
        );
        VM.expectRevert(reason);
        _desk.addSolver(address(_desk), NEW_PAYEE, uint40(NOW + DELAY), true);
        VM.expectRevert(reason);
        _desk.addSolver(NEW, address(_desk), uint40(NOW + DELAY), false);
        _assertEq(_desk.solverOf(NEW).activeUntil, 0);
    }

    function test_RevertWhen_AnActiveSolverIsAddedAgainWithAnotherPayee() public {
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverAlreadyAdded.selector, OLD, NEVER));
        _desk.addSolver(OLD, NEW_PAYEE, uint40(NOW + DELAY), false);
    }

    function test_RevertWhen_ASolverIsAddedAgainBeforeItsRetirement() public {
        uint40 end = uint40(NOW + 5 days);
        _desk.retireSolver(OLD, end);
        CLOCK.warp(end - 1);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverAlreadyAdded.selector, OLD, end));
        _desk.addSolver(OLD, NEW_PAYEE, end + uint40(DELAY), false);

        CLOCK.warp(end);
        _desk.addSolver(OLD, NEW_PAYEE, end + uint40(DELAY), false);
        _assertEq(_desk.solverOf(OLD).nativePayee, NEW_PAYEE);
        _assertEq(_desk.isActiveSolver(OLD), false);
    }

    function test_RevertWhen_NobodyInTheSetIsRetired() public {
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverNotAdded.selector, NEW));
        _desk.retireSolver(NEW, uint40(NOW));
    }

    function testFuzz_RevertWhen_ARetirementLiesInThePast(uint256 end) public {
        end = _bound(end, 0, NOW - 1);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.RetirementInPast.selector, end, NOW));
        _desk.retireSolver(OLD, uint40(end));
    }

    function testFuzz_RevertWhen_ARetirementIsPutOff(uint256 end, uint256 later) public {
        end = _bound(end, NOW, NEVER - 1);
        later = _bound(later, end + 1, NEVER);
        _desk.retireSolver(OLD, uint40(end));
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.RetirementPutOff.selector, later, end));
        _desk.retireSolver(OLD, uint40(later));
    }

    function testFuzz_ARetirementCanBeBroughtForward(uint256 end, uint256 sooner) public {
        end = _bound(end, NOW, NEVER);
        sooner = _bound(sooner, NOW, end);
        _desk.retireSolver(OLD, uint40(end));
        _desk.retireSolver(OLD, uint40(sooner));
        _assertEq(_desk.solverOf(OLD).activeUntil, sooner);
    }

    function testFuzz_DuringTheOverlapBothAreAcceptedAndOutsideItOne(bytes32 digest, uint256 time) public {
        uint256 start = NOW + DELAY;
        uint256 end = start + 1 days;
        _desk.addSolver(NEW, NEW_PAYEE, uint40(start), false);
        _desk.retireSolver(OLD, uint40(end));
        time = _bound(time, NOW, end + 1 days);
        CLOCK.warp(time);

        _assertEq(_desk.isActiveSolver(OLD), time < end);
        _assertEq(_desk.isActiveSolver(NEW), time >= start);
        _assertSigns(OLD_KEY, digest, time < end, NOW, end, PAYEE);
        _assertSigns(NEW_KEY, digest, time >= start, start, NEVER, NEW_PAYEE);
    }

    function test_RotationChangesHandsAtTheVerySeconds() public {
        uint256 start = NOW + DELAY;
        uint256 end = start + 1 days;
        _desk.addSolver(NEW, NEW_PAYEE, uint40(start), false);
        _desk.retireSolver(OLD, uint40(end));
        uint256[4] memory times = [start - 1, start, end - 1, end];
        for (uint256 i; i < times.length; ++i) {
            CLOCK.warp(times[i]);
            _assertEq(_desk.isActiveSolver(OLD), i < 3);
            _assertEq(_desk.isActiveSolver(NEW), i > 0);
        }
    }

    function test_AnAnnouncementCanBeWithdrawnBeforeItTakesEffect() public {
        _desk.addSolver(NEW, NEW_PAYEE, uint40(NOW + DELAY), false);
        _desk.retireSolver(NEW, uint40(NOW));
        CLOCK.warp(NOW + 2 * DELAY);
        _assertEq(_desk.isActiveSolver(NEW), false);
    }

    function testFuzz_RevertWhen_TheSignerIsNoSolver(uint256 seed, bytes32 digest) public {
        uint256 key = _boundKey(seed);
        VM.assume(key != OLD_KEY);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SignerNotSolver.selector, VM.addr(key)));
        _desk.checkSignature(digest, _sign(key, digest));
    }

    function testFuzz_RevertWhen_AKeySignsForASolverThatVerifiesItself(bytes32 digest) public {
        _desk.addSolver(NEW, NEW_PAYEE, uint40(NOW + DELAY), true);
        CLOCK.warp(NOW + DELAY);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverUsesErc1271.selector, NEW));
        _desk.checkSignature(digest, _sign(NEW_KEY, digest));
    }

    function testFuzz_AContractSolverVerifiesItself(bytes32 digest) public view {
        (address solver, address payee) = _desk.checkSignature(
            digest,
            abi.encodePacked(_wallet, _sign(NEW_KEY, digest))
        );
        _assertEq(solver, address(_wallet));
        _assertEq(payee, PAYEE);
    }

    function testFuzz_RevertWhen_AContractSolverRefuses(bytes32 digest) public {
        bytes memory signature = abi.encodePacked(_wallet, _sign(OLD_KEY, digest));
        VM.expectRevert(
            abi.encodeWithSelector(
                ISolverSet.ContractSignatureRefused.selector,
                _wallet,
                abi.encode(bytes4(0xffffffff))
            )
        );
        _desk.checkSignature(digest, signature);
    }

    function testFuzz_RevertWhen_AContractSolverReverts(bytes32 digest) public {
        _wallet.setMode(2);
        VM.expectRevert(
            abi.encodeWithSelector(
                ISolverSet.ContractSignatureRefused.selector,
                _wallet,
                abi.encodePacked(ContractSigner.WalletReverts.selector)
            )
        );
        _desk.checkSignature(digest, abi.encodePacked(_wallet, _sign(NEW_KEY, digest)));
    }

    function test_RevertGiven_AContractSolverIsRetired() public {
        _desk.retireSolver(address(_wallet), uint40(NOW));
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SolverNotActive.selector, _wallet, NOW, NOW, NOW));
        _desk.checkSignature(0, abi.encodePacked(_wallet, _sign(NEW_KEY, 0)));
    }

    function testFuzz_RevertWhen_AContractNamesItselfThatIsNoSolver(bytes32 digest) public {
        ContractSigner stranger = new ContractSigner(NEW);
        stranger.setMode(1);
        bytes memory signature = abi.encodePacked(stranger, _sign(NEW_KEY, digest));
        VM.expectRevert(
            abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, signature.length)
        );
        _desk.checkSignature(digest, signature);
    }

    function testFuzz_RevertWhen_ASolverWithAKeyIsNamedAsAContract(bytes32 digest, bytes memory rest) public {
        VM.assume(rest.length != 44 && rest.length != 45);
        bytes memory signature = abi.encodePacked(OLD, rest);
        VM.expectRevert(
            abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, signature.length)
        );
        _desk.checkSignature(digest, signature);
    }

    function testFuzz_RevertWhen_ASignatureIsShorterThanAnAddress(bytes32 digest, uint256 length) public {
        length = _bound(length, 0, 19);
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, length));
        _desk.checkSignature(digest, new bytes(length));
    }

    function test_RevertGiven_AContractSolverHasNoCodeYet() public {
        address counterfactual = _account("counterfactual");
        _desk.addSolver(counterfactual, PAYEE, uint40(NOW + DELAY), true);
        CLOCK.warp(NOW + DELAY);
        VM.expectRevert(
            abi.encodeWithSelector(ISolverSet.ContractSignatureRefused.selector, counterfactual, "")
        );
        _desk.checkSignature(0, abi.encodePacked(counterfactual));
    }

    function test_RevertWhen_TheMagicValueHasAnythingBehindItOrIsCut() public {
        _assertAnswerRefused(abi.encodePacked(bytes4(0x1626ba7e), uint224(1)));
        _assertAnswerRefused(abi.encodePacked(bytes4(0x1626ba7e)));
    }

    function test_RevertWhen_AContractSolverAnswersWithAHugeBufferWhichIsCut() public {
        ReturndataBomb bomb = new ReturndataBomb(100_000, true);
        _desk.addSolver(address(bomb), PAYEE, uint40(NOW + DELAY), true);
        CLOCK.warp(NOW + DELAY);
        (bool success, bytes memory reason) = address(_desk).staticcall(
            abi.encodeCall(_desk.checkSignature, (0, abi.encodePacked(bomb)))
        );
        _assertEq(success, false);
        _assertEq(bytes32(bytes4(reason)), bytes32(ISolverSet.ContractSignatureRefused.selector));
        // The selector, the solver, and the answer with its offset and length.
        _assertEq(reason.length, 4 + 3 * 32 + 1024);
    }

    /// @dev Code that answers everything with `answer`.
    function _assertAnswerRefused(bytes memory answer) private {
        bytes memory init = _copying(_copying(answer));
        address solver;
        assembly ("memory-safe") {
            solver := create(0, add(init, 0x20), mload(init))
        }
        (, bytes memory answered) = solver.staticcall("");
        _assertEq(answered, answer);

        uint256 start = block.timestamp + DELAY;
        _desk.addSolver(solver, PAYEE, uint40(start), true);
        CLOCK.warp(start);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.ContractSignatureRefused.selector, solver, answer));
        _desk.checkSignature(0, abi.encodePacked(solver));
    }

    /// @dev Code that returns what stands behind it: PUSH1 size, PUSH1 10, PUSH0, CODECOPY, PUSH1 size, PUSH0, RETURN.
    function _copying(bytes memory data) private pure returns (bytes memory) {
        uint8 size = uint8(data.length);
        return abi.encodePacked(hex"60", size, hex"600a5f3960", size, hex"5ff3", data);
    }

    function _assertSigns(
        uint256 key,
        bytes32 digest,
        bool isActive,
        uint256 activeFrom,
        uint256 activeUntil,
        address payee
    ) private {
        if (!isActive) {
            VM.expectRevert(
                abi.encodeWithSelector(
                    ISolverSet.SolverNotActive.selector,
                    VM.addr(key),
                    activeFrom,
                    activeUntil,
                    block.timestamp
                )
            );
            _desk.checkSignature(digest, _sign(key, digest));
            return;
        }
        (address solver, address nativePayee) = _desk.checkSignature(digest, _sign(key, digest));
        _assertEq(solver, VM.addr(key));
        _assertEq(nativePayee, payee);
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
