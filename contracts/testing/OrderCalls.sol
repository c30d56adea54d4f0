// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Call3Value} from "../service/interfaces/RouterCalls.sol";

/// @title OrderCalls
/// @notice Calls as an order's `output.calls` on an EVM chain: three nested structs of one member each.
library OrderCalls {
    struct To {
        address to;
    }

    struct Data {
        bytes data;
    }

    struct Value {
        uint256 value;
    }

    /// @notice Encodes calls of the router. An order has no `allowFailure`: a failed call reverts the fill.
    function encode(Call3Value[] memory calls) internal pure returns (bytes[] memory encoded) {
        encoded = new bytes[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            encoded[i] = abi.encode(To(calls[i].target), Data(calls[i].callData), Value(calls[i].value));
        }
    }

    /// @notice Decodes the calls of an order.
    function decode(bytes[] memory encoded) internal pure returns (Call3Value[] memory calls) {
        calls = new Call3Value[](encoded.length);
        for (uint256 i; i < encoded.length; ++i) {
            (To memory to, Data memory data, Value memory value) = abi.decode(encoded[i], (To, Data, Value));
            calls[i] = Call3Value(to.to, false, value.value, data.data);
        }
    }
}
