// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {Test} from "../../support/Test.sol";
import {SolverDesk} from "./SolverDesk.sol";

/// @title SolverSetStartTest
/// @notice The solvers that a set is deployed with, and what they sign in the form of ERC-2098, of 64 bytes.
contract SolverSetStartTest is Test {
    address private immutable PAYEE = _account("payee");

    function testFuzz_SeveralSolversAreActiveFromTheStart(uint256 count) public {
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

    function testFuzz_RevertWhen_ASolverIsAmongTheFirstTwice(address solver, address between) public {
        VM.assume(solver != address(0) && between != address(0) && solver != between);
        address[] memory solvers = new address[](3);
        (solvers[0], solvers[1], solvers[2]) = (solver, between, solver);
        VM.expectRevert(
            abi.encodeWithSelector(ISolverSet.SolverAlreadyAdded.selector, solver, type(uint40).max)
        );
        this.deploy(solvers);
    }

    function testFuzz_ACompactSignatureOfAnActiveSolverPasses(uint256 keySeed, bytes32 digest) public {
        uint256 key = _boundKey(keySeed);
        (address solver, address payee) = _deskOf(key).checkSignature(digest, _compact(key, digest));
        _assertEq(solver, VM.addr(key));
        _assertEq(payee, PAYEE);
    }

    function testFuzz_RevertWhen_ACompactSignatureIsOfNoSolver(
        uint256 keySeed,
        uint256 otherSeed,
        bytes32 digest
    ) public {
        (uint256 key, uint256 other) = (_boundKey(keySeed), _boundKey(otherSeed));
        VM.assume(key != other);
        SolverDesk desk = _deskOf(key);
        VM.expectRevert(abi.encodeWithSelector(ISolverSet.SignerNotSolver.selector, VM.addr(other)));
        desk.checkSignature(digest, _compact(other, digest));
    }

    /// @dev Of 63 bytes it is of neither form, and names no contract of the set.
    function testFuzz_RevertWhen_ACompactSignatureIsCut(uint256 keySeed, bytes32 digest) public {
        uint256 key = _boundKey(keySeed);
        SolverDesk desk = _deskOf(key);
        bytes memory signature = _compact(key, digest);
        assembly ("memory-safe") {
            mstore(signature, 63)
        }
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, 63));
        desk.checkSignature(digest, signature);
    }

    /// @notice Deploys a set with these solvers; from outside, so that a refusal can be caught.
    /// @param solvers who starts at once
    /// @return The set.
    function deploy(address[] memory solvers) public returns (SolverDesk) {
        ISolverSet.InitialSolver[] memory initial = new ISolverSet.InitialSolver[](solvers.length);
        for (uint256 i; i < solvers.length; ++i) {
            initial[i] = ISolverSet.InitialSolver({
                solver: solvers[i],
                nativePayee: PAYEE,
                usesErc1271: false
            });
        }
        return new SolverDesk(address(this), 0, initial);
    }

    function _deskOf(uint256 key) private returns (SolverDesk) {
        address[] memory solvers = new address[](1);
        solvers[0] = VM.addr(key);
        return deploy(solvers);
    }

    function _compact(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        return abi.encodePacked(r, bytes32(uint256(s) | (uint256(v - 27) << 255)));
    }
}
