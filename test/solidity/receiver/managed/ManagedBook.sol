// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {PaymentBook} from "../PaymentBook.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedBook
/// @notice The book of a handler of one managed receiver.
abstract contract ManagedBook is ManagedFixture, PaymentBook {
    /// @notice Few ids, so that runs repeat them.
    uint256 public constant IDS = 12;

    mapping(bytes32 requestId => uint256 times) internal _accepted;

    constructor() {
        _deployManaged();
    }

    /// @notice Lets up to two days pass.
    function wait(uint32 time) external {
        VM.warp(block.timestamp + (time % 2 days));
    }

    /// @inheritdoc PaymentBook
    function requests() external view override returns (Request[] memory all) {
        all = new Request[](IDS);
        for (uint256 i; i < IDS; ++i) {
            bytes32 id = idOf(i);
            all[i] = Request({
                timesAccepted: _accepted[id],
                isConsumed: _byReceiver.depositorOf(id) != address(0)
            });
        }
    }

    function managed() external view returns (ManagedReceiver receiver) {
        return _byReceiver;
    }

    function idOf(uint256 which) public pure returns (bytes32 requestId) {
        return keccak256(abi.encode("request", which % IDS));
    }
}
