// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {TaggedDesk} from "../support/TaggedDesk.sol";
import {Test} from "../support/Test.sol";

/// @title TransferWithIdTest
/// @notice Transfers with an id behind them, without the balance reads that the receivers make before.
contract TransferWithIdTest is Test {
    address private immutable PAYEE = _account("payee");

    TaggedDesk private _desk;

    function setUp() public {
        _desk = new TaggedDesk();
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
        _desk.pull(token, payee, amount, requestId);
        VM.expectRevert(reason);
        _desk.pay(token, payee, amount, requestId);
    }

    function testFuzz_ATransferWithIdMovesTheAmountEitherWay(uint256 amount, bytes32 requestId) public {
        LocalToken token = new LocalToken("Token", "ONE", 6, address(this));
        token.mint(address(this), amount);
        token.approve(address(_desk), amount);
        _desk.pull(address(token), address(_desk), amount, requestId);
        _assertEq(token.balanceOf(address(_desk)), amount);
        _desk.pay(address(token), PAYEE, amount, requestId);
        _assertEq(token.balanceOf(address(_desk)), 0);
        _assertEq(token.balanceOf(PAYEE), amount);
    }
}
