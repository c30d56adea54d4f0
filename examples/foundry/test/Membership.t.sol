// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {IPinnedReceiver} from "waybill/contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IRecordReceiver} from "waybill/contracts/interfaces/receiver/IRecordReceiver.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {Membership} from "../src/Membership.sol";
import {vm} from "./Vm.sol";

contract Token is ERC20 {
    function name() public pure override returns (string memory) {
        return "Token";
    }

    function symbol() public pure override returns (string memory) {
        return "TKN";
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }
}

/// @notice A key of the test signs in the solver's place.
contract MembershipTest {
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecord for address;

    uint256 private constant SOLVER_KEY = 7;
    uint256 private constant FEE = 25e6;
    uint256 private constant CHAIN_ID = 10;
    address private constant TREASURY = address(0xA11CE);
    address private constant MEMBER = address(0xB0B);

    address private _solver;
    Token private _token;
    Membership private _membership;

    function setUp() external {
        _solver = vm.addr(SOLVER_KEY);
        _token = new Token();
        _membership = new Membership(_solver, address(_token), FEE, CHAIN_ID, TREASURY.word());
        _token.mint(MEMBER, 2 * FEE);
    }

    function test_ASignedPaymentMakesAMemberAndPaysTheSolverToTheUnit() external {
        (bytes32 requestId, bytes memory signature) = _signed(FEE, TREASURY, SOLVER_KEY);
        _approve(FEE);
        vm.prank(MEMBER);
        _membership.join(requestId, signature);
        require(_membership.isMember(MEMBER), "no member");
        require(_token.balanceOf(_solver) == FEE, "the solver is not paid to the unit");
        require(_token.balanceOf(MEMBER) == FEE, "the member paid another amount");
        require(_token.allowance(MEMBER, address(_membership)) == 0, "an allowance is left");
    }

    function testFuzz_RevertWhen_TheRecordIsForAnotherAmount(uint256 amount) external {
        if (amount == FEE) return;
        (bytes32 requestId, bytes memory signature) = _signed(amount, TREASURY, SOLVER_KEY);
        _refused(requestId, signature);
    }

    function testFuzz_RevertWhen_TheRecordIsForAnotherRecipient(address recipient) external {
        if (recipient == TREASURY) return;
        (bytes32 requestId, bytes memory signature) = _signed(FEE, recipient, SOLVER_KEY);
        _refused(requestId, signature);
    }

    function test_RevertWhen_AnotherKeySigned() external {
        (bytes32 requestId, bytes memory signature) = _signed(FEE, TREASURY, SOLVER_KEY + 1);
        _refused(requestId, signature);
    }

    function test_RevertWhen_TheRequestWasPaid() external {
        (bytes32 requestId, bytes memory signature) = _signed(FEE, TREASURY, SOLVER_KEY);
        _approve(2 * FEE);
        vm.prank(MEMBER);
        _membership.join(requestId, signature);
        vm.expectRevert(abi.encodeWithSelector(Membership.AlreadyMember.selector, MEMBER));
        vm.prank(MEMBER);
        _membership.join(requestId, signature);
        vm.expectRevert(abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, requestId));
        vm.prank(MEMBER);
        _membership.depositErc20(address(_token), FEE, requestId, CHAIN_ID, TREASURY.word(), signature);
        require(_token.balanceOf(_solver) == FEE, "the solver is paid twice");
    }

    function _approve(uint256 amount) private {
        vm.prank(MEMBER);
        _token.approve(address(_membership), amount);
    }

    /// @dev The solver receives nothing, and the request can still be paid.
    function _refused(bytes32 requestId, bytes memory signature) private {
        _approve(FEE);
        vm.prank(MEMBER);
        try _membership.join(requestId, signature) {
            revert("the payment is accepted");
        } catch (bytes memory reason) {
            require(bytes4(reason) == IPinnedReceiver.RecordNotSignedBySolver.selector, "another error");
        }
        require(_token.balanceOf(_solver) == 0, "the solver is paid");
        require(!_membership.isMember(MEMBER), "a member");
    }

    function _signed(
        uint256 amount,
        address recipient,
        uint256 key
    ) private view returns (bytes32 requestId, bytes memory signature) {
        requestId = keccak256("request");
        bytes32 digest = SignatureRecord
            .Record({
                requestId: requestId,
                originChainId: block.chainid,
                originUser: MEMBER.word(),
                originCurrency: address(_token).word(),
                originAmount: amount,
                destinationChainId: CHAIN_ID,
                destinationUser: recipient.word()
            })
            .digest();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        signature = abi.encodePacked(r, s, v);
    }
}
