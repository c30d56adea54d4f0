// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ReturndataBomb} from "../../../contracts/mocks/ReturndataBomb.sol";
import {CalldataNote} from "../support/CalldataNote.sol";
import {Test} from "../support/Test.sol";

/// @title TransferWithIdTest
/// @notice Transfers with an id after their arguments, without the balance reads of the receivers.
contract TransferWithIdTest is Test {
    address private immutable DEPOSITOR = _account("depositor");
    address private immutable PAYEE = _account("payee");

    /// @notice External, so that reverts can be expected and the caller differs from the payer.
    function pull(address token, address to, uint256 amount, bytes32 requestId) external {
        TransferWithId.transferFromWithId(token, to, amount, requestId);
    }

    function pay(address token, address to, uint256 amount, bytes32 requestId) external {
        TransferWithId.transferWithId(token, to, amount, requestId);
    }

    /// @dev A call to an account without code succeeds and moves nothing.
    function testFuzz_RevertWhen_ATaggedTokenHasNoCode(
        address token,
        address payee,
        uint256 amount,
        bytes32 requestId
    ) public {
        VM.assume(token.code.length == 0 && uint160(token) > 0xff);
        bytes memory reason = abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, token);
        VM.expectRevert(reason);
        this.pull(token, payee, amount, requestId);
        VM.expectRevert(reason);
        this.pay(token, payee, amount, requestId);
    }

    function testFuzz_TheIdFollowsTheStandardCalldata(address to, uint256 amount, bytes32 requestId) public {
        CalldataNote token = new CalldataNote();
        VM.prank(DEPOSITOR);
        this.pull(address(token), to, amount, requestId);
        bytes memory standard = abi.encodeCall(IERC20.transferFrom, (DEPOSITOR, to, amount));
        _assertEq(token.noted(), bytes.concat(standard, requestId));
        this.pay(address(token), to, amount, requestId);
        standard = abi.encodeCall(IERC20.transfer, (to, amount));
        _assertEq(token.noted(), bytes.concat(standard, requestId));
    }

    /// @dev The buffer costs the token more than two million gas, and would cost a caller that copies it as much again.
    function test_RevertWhen_ATokenAnswersWithAHugeBufferWhichIsCut() public {
        address bomb = address(new ReturndataBomb(1_000_000, false));
        bytes4 selector = TransferWithId.TokenTransferFailed.selector;
        bytes memory expected = abi.encodeWithSelector(selector, bomb, new bytes(1024));
        bytes[2] memory calls = [
            abi.encodeCall(this.pull, (bomb, PAYEE, 1, 0)),
            abi.encodeCall(this.pay, (bomb, PAYEE, 1, 0))
        ];
        for (uint256 i; i < calls.length; ++i) {
            (bool success, bytes memory reason) = address(this).call{gas: 3_000_000}(calls[i]);
            _assertEq(success, false);
            _assertEq(reason, expected);
        }
    }

    function testFuzz_ATransferWithIdMovesTheAmountEitherWay(uint256 amount, bytes32 requestId) public {
        LocalToken token = new LocalToken("Token", "ONE", 6, address(this));
        token.mint(DEPOSITOR, amount);
        VM.prank(DEPOSITOR);
        token.approve(address(this), amount);
        VM.prank(DEPOSITOR);
        this.pull(address(token), address(this), amount, requestId);
        _assertEq(token.balanceOf(address(this)), amount);
        this.pay(address(token), PAYEE, amount, requestId);
        _assertEq(token.balanceOf(address(this)), 0);
        _assertEq(token.balanceOf(PAYEE), amount);
    }
}
