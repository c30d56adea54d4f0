// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";

/// @title TaggedDesk
/// @notice The library of tagged transfers behind outside functions.
contract TaggedDesk {
    function pull(address token, address to, uint256 amount, bytes32 requestId) external {
        TransferWithId.transferFromWithId(token, to, amount, requestId);
    }

    function pay(address token, address to, uint256 amount, bytes32 requestId) external {
        TransferWithId.transferWithId(token, to, amount, requestId);
    }
}
