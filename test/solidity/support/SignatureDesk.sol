// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";

/// @title SignatureDesk
/// @notice Gives the internal library an outside, since it reads signatures from calldata.
contract SignatureDesk {
    /// @notice Recovers who signed.
    /// @param digest what was signed
    /// @param signature 65 or 64 bytes
    /// @return signer who signed
    function recover(bytes32 digest, bytes calldata signature) external view returns (address signer) {
        return SolverSignature.recover(digest, signature);
    }
}
