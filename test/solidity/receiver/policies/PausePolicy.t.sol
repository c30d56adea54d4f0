// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPausePolicy} from "../../../../contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title PausePolicyTest
contract PausePolicyTest is Test {
    function test_RevertGiven_DepositsArePaused() public {
        PolicyDesk desk = new PolicyDesk(address(this));
        _assertEq(desk.isPaused(), false);
        desk.checkNotPaused();
        CHEATS.expectEmit(address(desk));
        emit IPausePolicy.PauseChanged(true);
        desk.setPaused(true);
        _assertEq(desk.isPaused(), true);
        VM.expectRevert(abi.encodePacked(IPausePolicy.DepositsPaused.selector));
        desk.checkNotPaused();
        desk.setPaused(false);
        desk.checkNotPaused();
    }
}
