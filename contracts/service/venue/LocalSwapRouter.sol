// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {LocalWrappedNative} from "../currencies/LocalWrappedNative.sol";
import {LocalSwapFactory} from "./LocalSwapFactory.sol";
import {LocalSwapPair} from "./LocalSwapPair.sol";

/// @title LocalSwapRouter
/// @notice Swaps along the pools of the local chains, with the swaps and the reasons of Uniswap v2's second router. Never deploy
/// it to a public chain.
/// @dev Left out: liquidity, which a pool takes itself, and swaps of tokens that charge for transfers.
contract LocalSwapRouter {
    using SafeTransferLib for address;

    /// @notice The factory whose pools are used.
    LocalSwapFactory public immutable factory;

    /// @notice The wrapped native currency.
    LocalWrappedNative public immutable WETH;

    modifier before(uint256 deadline) {
        require(deadline >= block.timestamp, "UniswapV2Router: EXPIRED");
        _;
    }

    modifier native(address token) {
        require(token == address(WETH), "UniswapV2Router: INVALID_PATH");
        _;
    }

    /// @param factory_ the factory whose pools are used
    /// @param wrappedNative the wrapped native currency
    constructor(LocalSwapFactory factory_, LocalWrappedNative wrappedNative) {
        (factory, WETH) = (factory_, wrappedNative);
    }

    /// @notice Takes native currency from the wrapper alone, which pays when it unwraps.
    receive() external payable {
        require(msg.sender == address(WETH), "UniswapV2Router: INVALID_SENDER");
    }

    /// @notice Sells an exact amount of a token for another one.
    /// @param amountIn input in smallest units, which the caller has approved
    /// @param amountOutMin least output
    /// @param path tokens from the input to the output
    /// @param to recipient of the output
    /// @param deadline last valid time in unix seconds
    /// @return amounts what each pool took, and the output
    function swapExactTokensForTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256[] memory amounts) {
        amounts = _atLeast(amountOutMin, amountIn, path);
        _pull(amounts[0], path);
        _swap(amounts, path, to);
    }

    /// @notice Buys an exact amount of a token for another one.
    /// @param amountOut output in smallest units
    /// @param amountInMax largest input, which the caller has approved
    /// @param path tokens from the input to the output
    /// @param to recipient of the output
    /// @param deadline last valid time in unix seconds
    /// @return amounts what each pool took, and the output
    function swapTokensForExactTokens(
        uint256 amountOut,
        uint256 amountInMax,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256[] memory amounts) {
        amounts = _atMost(amountInMax, amountOut, path);
        _pull(amounts[0], path);
        _swap(amounts, path, to);
    }

    /// @notice Sells the sent native currency for a token.
    /// @param amountOutMin least output
    /// @param path tokens from the wrapped native currency to the output
    /// @param to recipient of the output
    /// @param deadline last valid time in unix seconds
    /// @return amounts what each pool took, and the output
    function swapExactETHForTokens(
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external payable before(deadline) native(path[0]) returns (uint256[] memory amounts) {
        amounts = _atLeast(amountOutMin, msg.value, path);
        _wrap(msg.value, path);
        _swap(amounts, path, to);
    }

    /// @notice Buys an exact amount of a token for native currency, and gives the rest of it back.
    /// @param amountOut output in smallest units
    /// @param path tokens from the wrapped native currency to the output
    /// @param to recipient of the output
    /// @param deadline last valid time in unix seconds
    /// @return amounts what each pool took, and the output
    function swapETHForExactTokens(
        uint256 amountOut,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external payable before(deadline) native(path[0]) returns (uint256[] memory amounts) {
        amounts = _atMost(msg.value, amountOut, path);
        _wrap(amounts[0], path);
        _swap(amounts, path, to);
        if (msg.value > amounts[0]) msg.sender.safeTransferETH(msg.value - amounts[0]);
    }

    /// @notice Sells an exact amount of a token for native currency.
    /// @param amountIn input in smallest units, which the caller has approved
    /// @param amountOutMin least output in wei
    /// @param path tokens from the input to the wrapped native currency
    /// @param to recipient of the output
    /// @param deadline last valid time in unix seconds
    /// @return amounts what each pool took, and the output
    function swapExactTokensForETH(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) native(path[path.length - 1]) returns (uint256[] memory amounts) {
        amounts = _atLeast(amountOutMin, amountIn, path);
        _pull(amounts[0], path);
        _swapAndUnwrap(amounts, path, to);
    }

    /// @notice Buys an exact amount of native currency for a token.
    /// @param amountOut output in wei
    /// @param amountInMax largest input in smallest units, which the caller has approved
    /// @param path tokens from the input to the wrapped native currency
    /// @param to recipient of the output
    /// @param deadline last valid time in unix seconds
    /// @return amounts what each pool took, and the output
    function swapTokensForExactETH(
        uint256 amountOut,
        uint256 amountInMax,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external before(deadline) native(path[path.length - 1]) returns (uint256[] memory amounts) {
        amounts = _atMost(amountInMax, amountOut, path);
        _pull(amounts[0], path);
        _swapAndUnwrap(amounts, path, to);
    }

    /// @notice What an exact input gives along a path at present reserves.
    /// @param amountIn input in smallest units
    /// @param path tokens from the input to the output
    /// @return amounts the input, and what each pool gives
    function getAmountsOut(
        uint256 amountIn,
        address[] calldata path
    ) public view returns (uint256[] memory amounts) {
        require(path.length >= 2, "UniswapV2Library: INVALID_PATH");
        amounts = new uint256[](path.length);
        amounts[0] = amountIn;
        for (uint256 i; i < path.length - 1; ++i) {
            require(amounts[i] > 0, "UniswapV2Library: INSUFFICIENT_INPUT_AMOUNT");
            (uint256 reserveIn, uint256 reserveOut) = _reserves(path[i], path[i + 1]);
            uint256 swapped = amounts[i] * 997;
            amounts[i + 1] = (swapped * reserveOut) / (reserveIn * 1000 + swapped);
        }
    }

    /// @notice What an exact output takes along a path at present reserves.
    /// @param amountOut output in smallest units
    /// @param path tokens from the input to the output
    /// @return amounts what each pool takes, and the output
    function getAmountsIn(
        uint256 amountOut,
        address[] calldata path
    ) public view returns (uint256[] memory amounts) {
        require(path.length >= 2, "UniswapV2Library: INVALID_PATH");
        amounts = new uint256[](path.length);
        amounts[path.length - 1] = amountOut;
        for (uint256 i = path.length - 1; i > 0; --i) {
            require(amounts[i] > 0, "UniswapV2Library: INSUFFICIENT_OUTPUT_AMOUNT");
            (uint256 reserveIn, uint256 reserveOut) = _reserves(path[i - 1], path[i]);
            require(amounts[i] <= reserveOut, "ds-math-sub-underflow");
            amounts[i - 1] = (reserveIn * amounts[i] * 1000) / ((reserveOut - amounts[i]) * 997) + 1;
        }
    }

    function _pull(uint256 amount, address[] calldata path) private {
        path[0].safeTransferFrom(msg.sender, factory.getPair(path[0], path[1]), amount);
    }

    function _wrap(uint256 amount, address[] calldata path) private {
        WETH.deposit{value: amount}();
        address(WETH).safeTransfer(factory.getPair(path[0], path[1]), amount);
    }

    function _swapAndUnwrap(uint256[] memory amounts, address[] calldata path, address to) private {
        _swap(amounts, path, address(this));
        uint256 amountOut = amounts[amounts.length - 1];
        WETH.withdraw(amountOut);
        to.safeTransferETH(amountOut);
    }

    /// @dev Each pool pays the next one; the last pays the recipient.
    function _swap(uint256[] memory amounts, address[] calldata path, address to) private {
        for (uint256 i; i < path.length - 1; ++i) {
            LocalSwapPair pair = LocalSwapPair(factory.getPair(path[i], path[i + 1]));
            bool isLast = i == path.length - 2;
            address payee = isLast ? to : factory.getPair(path[i + 1], path[i + 2]);
            bool isFirst = path[i] < path[i + 1];
            uint256 out = amounts[i + 1];
            pair.swap(isFirst ? 0 : out, isFirst ? out : 0, payee, "");
        }
    }

    function _atLeast(
        uint256 amountOutMin,
        uint256 amountIn,
        address[] calldata path
    ) private view returns (uint256[] memory amounts) {
        amounts = getAmountsOut(amountIn, path);
        require(amounts[amounts.length - 1] >= amountOutMin, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT");
    }

    function _atMost(
        uint256 amountInMax,
        uint256 amountOut,
        address[] calldata path
    ) private view returns (uint256[] memory amounts) {
        amounts = getAmountsIn(amountOut, path);
        require(amounts[0] <= amountInMax, "UniswapV2Router: EXCESSIVE_INPUT_AMOUNT");
    }

    function _reserves(
        address tokenIn,
        address tokenOut
    ) private view returns (uint256 reserveIn, uint256 reserveOut) {
        // Without a pool this reverts without a reason, as in production.
        LocalSwapPair pair = LocalSwapPair(factory.getPair(tokenIn, tokenOut));
        (uint112 reserve0, uint112 reserve1, ) = pair.getReserves();
        require(reserve0 > 0 && reserve1 > 0, "UniswapV2Library: INSUFFICIENT_LIQUIDITY");
        return tokenIn < tokenOut ? (reserve0, reserve1) : (reserve1, reserve0);
    }
}
