// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
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
