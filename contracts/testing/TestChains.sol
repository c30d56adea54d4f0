// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SolverQuotes} from "./SolverQuotes.sol";

/// @title TestChains
/// @notice Origin and destination in one test: two forks, or one local state under two chain ids.
abstract contract TestChains is SolverQuotes {
    /// @notice A chain of a test.
    /// @param id The chain id.
    /// @param isFork Whether the chain is a fork with a state of its own.
    /// @param forkId The runner's id of the fork.
    struct TestChain {
        uint256 id;
        bool isFork;
        uint256 forkId;
    }

    /// @notice A local chain. Local chains share one state and differ in their ids only.
    function _localChain(uint256 id) internal pure returns (TestChain memory chain) {
        chain.id = id;
    }

    /// @notice Forks a chain at its latest block and enters it.
    /// @param url The chain's JSON-RPC URL.
    function _forkedChain(string memory url) internal returns (TestChain memory chain) {
        chain.forkId = VM.createSelectFork(url);
        chain.isFork = true;
        (chain.id, ) = this.currentChain();
    }

    /// @notice Enters a chain: what follows happens there.
    function _enter(TestChain memory chain) internal {
        if (chain.isFork) VM.selectFork(chain.forkId);
        else VM.chainId(chain.id);
    }
}
