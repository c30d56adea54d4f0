// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {Membership} from "../../src/Membership.sol";
import {vm} from "../Vm.sol";

interface IERC20 {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

/// @notice On a fork of the emulator's chain, with a record that its solver signed. `membership.test.ts` sets the environment.
contract MembershipForkTest {
    using SignatureRecord for address;

    function test_ARecordOfTheServiceMakesAMember() external {
        vm.createSelectFork(vm.envString("ORIGIN_RPC_URL"));
        address solver = vm.envAddress("SOLVER");
        address member = vm.envAddress("MEMBER");
        IERC20 token = IERC20(vm.envAddress("TOKEN"));
        uint256 fee = vm.envUint("FEE");
        bytes32 treasury = vm.envAddress("TREASURY").word();
        uint256 chainId = vm.envUint("TREASURY_CHAIN_ID");
        Membership membership = new Membership(solver, address(token), fee, chainId, treasury);

        uint256 before = token.balanceOf(solver);
        vm.prank(member);
        token.approve(address(membership), fee);
        vm.prank(member);
        membership.join(vm.envBytes32("REQUEST_ID"), vm.envBytes("SIGNATURE"));
        require(membership.isMember(member), "no member");
        require(token.balanceOf(solver) - before == fee, "the solver is not paid to the unit");
    }
}
