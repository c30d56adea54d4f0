// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LocalSwapPair} from "./LocalSwapPair.sol";

/// @title LocalSwapFactory
/// @notice Makes the pools of the local chains, with the interface of Uniswap v2's factory. Never deploy it to a public chain.
/// @dev Assumption: the protocol's fee is off, as on the public factory of Ethereum until it was switched on.
contract LocalSwapFactory {
    /// @notice Emitted for each new pool.
    /// @param token0 the token with the lower address
    /// @param token1 the other token
    /// @param pair the pool
    /// @param count number of pools so far
    event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count);

    /// @notice The pool of two tokens, in either order; zero if there is none.
    mapping(address tokenA => mapping(address tokenB => address pair)) public getPair;

    /// @notice All pools, in the order in which they were made.
    address[] public allPairs;

    /// @notice Makes the pool of two tokens, at the address that CREATE2 gives to both of them.
    /// @param tokenA a token
    /// @param tokenB another token
    /// @return pair the pool, which is empty
    function createPair(address tokenA, address tokenB) external returns (address pair) {
        require(tokenA != tokenB, "UniswapV2: IDENTICAL_ADDRESSES");
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != address(0), "UniswapV2: ZERO_ADDRESS");
        require(getPair[token0][token1] == address(0), "UniswapV2: PAIR_EXISTS");

        LocalSwapPair made = new LocalSwapPair{salt: keccak256(abi.encodePacked(token0, token1))}();
        made.initialize(token0, token1);
        pair = address(made);
        getPair[token0][token1] = pair;
        getPair[token1][token0] = pair;
        allPairs.push(pair);
        emit PairCreated(token0, token1, pair, allPairs.length);
    }

    /// @notice Number of pools.
    /// @return count how many there are
    function allPairsLength() external view returns (uint256 count) {
        return allPairs.length;
    }
}
