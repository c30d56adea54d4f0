// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SolverFills} from "./SolverFills.sol";
import {TestChains} from "./TestChains.sol";

/// @title WaybillTest
/// @notice Base of a Solidity test of your receiver, proxy or destination contract, without a service: the test quotes, signs and
/// fills in the solver's place. Runs under Forge and under Hardhat, with and without forge-std.
/// @dev A test usually calls `_deployService`, `_quoteRecord` or `_quoteOrder`, its own contract, and `_fill…`, in this order.
/// Cheatcodes are `VM`.
abstract contract WaybillTest is TestChains, SolverFills {}
