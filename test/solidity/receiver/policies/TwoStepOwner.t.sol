// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IRecipientAllowListMapping} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ITwoStepOwner} from "../../../../contracts/interfaces/receiver/policies/ITwoStepOwner.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";
import {RefundDesk} from "./RefundDesk.sol";
import {SolverDesk} from "./SolverDesk.sol";

/// @title TwoStepOwnerTest
/// @notice Only the owner configures any policy, and ownership changes by request and grant.
contract TwoStepOwnerTest is Test {
    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
    }

    function testFuzz_RevertWhen_AnotherAccountThanTheOwnerConfigures(address caller) public {
        VM.assume(caller != address(this));
        IRecipientAllowListMapping.Recipient[] memory recipients = new IRecipientAllowListMapping.Recipient[](
            0
        );
        bytes[7] memory policyCalls = [
            abi.encodeCall(_desk.setCurrencyLimits, (ICurrencyLimits.CurrencyLimit(address(1), 0, 1))),
            abi.encodeCall(_desk.setCoSigner, (caller)),
            abi.encodeCall(_desk.setRecipients, (recipients, true)),
            abi.encodeCall(_desk.setRecipientListOpen, (true)),
            abi.encodeCall(_desk.setPaused, (true)),
            abi.encodeCall(_desk.transferOwnership, (caller)),
            abi.encodeCall(_desk.renounceOwnership, ())
        ];
        for (uint256 i; i < policyCalls.length; ++i) {
            _assertUnauthorized(address(_desk), caller, policyCalls[i]);
        }
        SolverDesk solvers = new SolverDesk(address(this), 0, new ISolverSet.InitialSolver[](0));
        uint40 never = type(uint40).max;
        _assertUnauthorized(
            address(solvers),
            caller,
            abi.encodeCall(solvers.addSolver, (caller, caller, never, false))
        );
        _assertUnauthorized(address(solvers), caller, abi.encodeCall(solvers.retireSolver, (caller, never)));
        RefundDesk refunds = new RefundDesk(address(this));
        _assertUnauthorized(
            address(refunds),
            caller,
            abi.encodeCall(refunds.rescue, (address(0), caller, 0))
        );
        _assertUnauthorized(address(refunds), caller, abi.encodeCall(refunds.setAttributor, (caller)));
    }

    function test_RevertWhen_TheFirstOwnerIsZero() public {
        VM.expectRevert(abi.encodePacked(Ownable.NewOwnerIsZeroAddress.selector));
        new PolicyDesk(address(0));
    }

    function testFuzz_RevertWhen_TheOwnerTransfersOrRenounces(address newOwner) public {
        VM.expectRevert(abi.encodeWithSelector(ITwoStepOwner.OwnershipNeedsHandover.selector, newOwner));
        _desk.transferOwnership(newOwner);
        VM.expectRevert(abi.encodePacked(ITwoStepOwner.OwnershipIsKept.selector));
        _desk.renounceOwnership();
    }

    function testFuzz_RequestedOwnershipChangesHandsWhenGranted(address next) public {
        VM.assume(next != address(this));
        VM.prank(next);
        _desk.requestOwnershipHandover();
        _assertEq(_desk.owner(), address(this));
        _desk.completeOwnershipHandover(next);
        _assertEq(_desk.owner(), next);
    }

    function testFuzz_RevertWhen_GrantedOwnershipWasNotRequestedOrTheRequestExpired(address next) public {
        VM.expectRevert(abi.encodePacked(Ownable.NoHandoverRequest.selector));
        _desk.completeOwnershipHandover(next);

        VM.prank(next);
        _desk.requestOwnershipHandover();
        VM.warp(block.timestamp + 48 hours + 1);
        VM.expectRevert(abi.encodePacked(Ownable.NoHandoverRequest.selector));
        _desk.completeOwnershipHandover(next);
    }

    function _assertUnauthorized(address desk, address caller, bytes memory data) private {
        VM.prank(caller);
        (bool success, bytes memory reason) = desk.call(data);
        _assertEq(success, false);
        _assertEq(reason, abi.encodePacked(Ownable.Unauthorized.selector));
    }
}
