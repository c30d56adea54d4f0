// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

/// @notice Account that receives the output of a swap before it pays the input.
interface ISwapCallee {
    /// @param sender caller of the swap
    /// @param amount0 output in the first token
    /// @param amount1 output in the second token
    /// @param data what the caller passed on
    function uniswapV2Call(address sender, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// @title LocalSwapPair
/// @notice A constant-product pool of two tokens with a fee of 0.3 %, with the interface of Uniswap v2's pools. Never deploy it
/// to a public chain.
/// @dev Callers pay first: `mint`, `burn` and `swap` measure what arrived since the last change. Assumption: no one reads
/// cumulative prices, which this pool does not keep.
contract LocalSwapPair is ERC20 {
    using SafeTransferLib for address;

    /// @notice Shares that the first deposit leaves in the pool for good, so that a share never becomes too dear.
    uint256 public constant MINIMUM_LIQUIDITY = 1000;

    /// @notice Emitted when liquidity is added.
    /// @param sender caller
    /// @param amount0 amount of the first token
    /// @param amount1 amount of the second token
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);

    /// @notice Emitted when liquidity is taken out.
    /// @param sender caller
    /// @param amount0 amount of the first token
    /// @param amount1 amount of the second token
    /// @param to recipient of both
    event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);

    /// @notice Emitted for each swap.
    /// @param sender caller
    /// @param amount0In input in the first token
    /// @param amount1In input in the second token
    /// @param amount0Out output in the first token
    /// @param amount1Out output in the second token
    /// @param to recipient of the output
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    /// @notice Emitted whenever the reserves change.
    /// @param reserve0 reserve of the first token
    /// @param reserve1 reserve of the second token
    event Sync(uint112 reserve0, uint112 reserve1);

    /// @notice The factory that made the pool.
    address public immutable factory;

    /// @notice The token with the lower address.
    address public token0;

    /// @notice The other token.
    address public token1;

    /// @dev The token's library mints nothing to the zero address, which holds them in production.
    address private constant _nobody = address(0xdead);

    uint112 private _reserve0;
    uint112 private _reserve1;
    uint32 private _changedAt;
    bool private transient _isLocked;

    modifier locked() {
        require(!_isLocked, "UniswapV2: LOCKED");
        _isLocked = true;
        _;
        _isLocked = false;
    }

    /// @dev Without parameters, so that the address of a pool follows from its tokens alone.
    constructor() ERC20("Local Swap Shares", "SHARES") {
        factory = msg.sender;
    }

    /// @notice Sets the tokens. Only the factory can, which does so as it makes the pool.
    /// @param first the token with the lower address
    /// @param second the other token
    function initialize(address first, address second) external {
        require(msg.sender == factory, "UniswapV2: FORBIDDEN");
        (token0, token1) = (first, second);
    }

    /// @notice Gives shares for the tokens that arrived.
    /// @param to recipient of the shares
    /// @return liquidity number of shares
    function mint(address to) external locked returns (uint256 liquidity) {
        (uint256 balance0, uint256 balance1) = _balances();
        uint256 amount0 = balance0 - _reserve0;
        uint256 amount1 = balance1 - _reserve1;
        uint256 supply = totalSupply();
        if (supply == 0) {
            liquidity = Math.sqrt(amount0 * amount1) - MINIMUM_LIQUIDITY;
            _mint(_nobody, MINIMUM_LIQUIDITY);
        } else {
            liquidity = Math.min((amount0 * supply) / _reserve0, (amount1 * supply) / _reserve1);
        }
        require(liquidity > 0, "UniswapV2: INSUFFICIENT_LIQUIDITY_MINTED");
        _mint(to, liquidity);
        _setReserves(balance0, balance1);
        emit Mint(msg.sender, amount0, amount1);
    }

    /// @notice Pays out the shares that arrived.
    /// @param to recipient of the tokens
    /// @return amount0 amount of the first token
    /// @return amount1 amount of the second token
    function burn(address to) external locked returns (uint256 amount0, uint256 amount1) {
        (uint256 balance0, uint256 balance1) = _balances();
        uint256 liquidity = balanceOf(address(this));
        uint256 supply = totalSupply();
        amount0 = (liquidity * balance0) / supply;
        amount1 = (liquidity * balance1) / supply;
        require(amount0 > 0 && amount1 > 0, "UniswapV2: INSUFFICIENT_LIQUIDITY_BURNED");
        _burn(address(this), liquidity);
        token0.safeTransfer(to, amount0);
        token1.safeTransfer(to, amount1);
        (balance0, balance1) = _balances();
        _setReserves(balance0, balance1);
        emit Burn(msg.sender, amount0, amount1, to);
    }

    /// @notice Pays out, and takes what arrived as the input: before the call, or during the recipient's own if there is data.
    /// @param amount0Out output in the first token
    /// @param amount1Out output in the second token
    /// @param to recipient
    /// @param data passed on to the recipient; none means no call
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external locked {
        require(amount0Out > 0 || amount1Out > 0, "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT");
        (uint256 reserve0, uint256 reserve1) = (_reserve0, _reserve1);
        require(amount0Out < reserve0 && amount1Out < reserve1, "UniswapV2: INSUFFICIENT_LIQUIDITY");
        require(to != token0 && to != token1, "UniswapV2: INVALID_TO");

        if (amount0Out > 0) token0.safeTransfer(to, amount0Out);
        if (amount1Out > 0) token1.safeTransfer(to, amount1Out);
        if (data.length > 0) ISwapCallee(to).uniswapV2Call(msg.sender, amount0Out, amount1Out, data);

        (uint256 amount0In, uint256 amount1In) = _takeInput(reserve0 - amount0Out, reserve1 - amount1Out);
        emit Swap(msg.sender, amount0In, amount1In, amount0Out, amount1Out, to);
    }

    /// @notice Pays out what the pool holds beyond its reserves.
    /// @param to recipient
    function skim(address to) external locked {
        (uint256 balance0, uint256 balance1) = _balances();
        token0.safeTransfer(to, balance0 - _reserve0);
        token1.safeTransfer(to, balance1 - _reserve1);
    }

    /// @notice Makes what the pool holds its reserves.
    function sync() external locked {
        (uint256 balance0, uint256 balance1) = _balances();
        _setReserves(balance0, balance1);
    }

    /// @notice What the pool reckons with.
    /// @return reserve0 reserve of the first token
    /// @return reserve1 reserve of the second token
    /// @return changedAt time of the last change, in unix seconds modulo 2^32
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 changedAt) {
        return (_reserve0, _reserve1, _changedAt);
    }

    /// @dev Measures the input of a swap, given the reserves without its output, and checks that the pool did not lose.
    function _takeInput(uint256 rest0, uint256 rest1) private returns (uint256 amount0In, uint256 amount1In) {
        (uint256 balance0, uint256 balance1) = _balances();
        amount0In = Math.saturatingSub(balance0, rest0);
        amount1In = Math.saturatingSub(balance1, rest1);
        require(amount0In > 0 || amount1In > 0, "UniswapV2: INSUFFICIENT_INPUT_AMOUNT");
        // Balances without the fee, in thousandths.
        uint256 kept0 = balance0 * 1000 - amount0In * 3;
        uint256 kept1 = balance1 * 1000 - amount1In * 3;
        require(kept0 * kept1 >= uint256(_reserve0) * _reserve1 * 1000 ** 2, "UniswapV2: K");
        _setReserves(balance0, balance1);
    }

    function _setReserves(uint256 balance0, uint256 balance1) private {
        require(balance0 <= type(uint112).max && balance1 <= type(uint112).max, "UniswapV2: OVERFLOW");
        (_reserve0, _reserve1, _changedAt) = (uint112(balance0), uint112(balance1), uint32(block.timestamp));
        emit Sync(_reserve0, _reserve1);
    }

    function _balances() private view returns (uint256 balance0, uint256 balance1) {
        return (IERC20(token0).balanceOf(address(this)), IERC20(token1).balanceOf(address(this)));
    }
}
