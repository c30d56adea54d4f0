// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TaggedTransfer} from "../../../contracts/libraries/TaggedTransfer.sol";

/// @title TaggedDesk
/// @notice The library of tagged transfers behind outside functions.
contract TaggedDesk {
    function pull(address token, address to, uint256 amount, bytes32 requestId) external {
        TaggedTransfer.transferFromWithId(token, to, amount, requestId);
    }

    function pay(address token, address to, uint256 amount, bytes32 requestId) external {
        TaggedTransfer.transferWithId(token, to, amount, requestId);
    }
}
