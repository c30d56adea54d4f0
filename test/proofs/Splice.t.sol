// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CalldataSplice} from "../../contracts/libraries/CalldataSplice.sol";
import {Proof} from "./Proof.sol";

/// @title SpliceProofs
/// @notice A splice writes one zero word inside the calldata and above the selector, and changes nothing else.
contract SpliceProofs is Proof {
    /// @custom:halmos --default-bytes-lengths 0,4,35,36,37,68,100
    /// @custom:mutant contracts/libraries/CalldataSplice.sol: offset - SELECTOR_BYTES > length - SHORTEST -> offset > length - SHORTEST
    function check_WritesOneZeroWordInsideTheCalldata(
        bytes memory data,
        uint256 offset,
        uint256 amount
    ) external view {
        // Memory offsets must be concrete.
        for (uint256 place = 4; place + 32 <= data.length; ++place) {
            if (offset == place) return _checkInside(data, place, amount);
        }
        assert(!_write(data, offset, amount));
    }

    function write(bytes memory data, uint256 offset, uint256 amount) external pure returns (bytes memory) {
        bytes memory next = hex"c0ffee";
        CalldataSplice.write(data, offset, amount);
        assert(keccak256(next) == keccak256(hex"c0ffee"));
        return data;
    }

    function _checkInside(bytes memory data, uint256 place, uint256 amount) private view {
        bytes32 word;
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), place))
        }
        try this.write(data, place, amount) returns (bytes memory written) {
            assert(word == 0);
            assert(written.length == data.length);
            for (uint256 i; i < data.length; ++i) {
                bool isInWord = i >= place && i < place + 32;
                assert(written[i] == (isInWord ? bytes32(amount)[i - place] : data[i]));
            }
        } catch {
            assert(word != 0);
        }
    }

    function _write(bytes memory data, uint256 offset, uint256 amount) private view returns (bool isDone) {
        try this.write(data, offset, amount) {
            isDone = true;
        } catch {}
    }
}
