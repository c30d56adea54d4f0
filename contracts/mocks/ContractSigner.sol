// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title ContractSigner
/// @notice A contract wallet that signs by ERC-1271 with one key. It can misbehave: approve everything, as a hostile
/// wallet does, or revert.
contract ContractSigner is IERC1271 {
    bytes4 private constant REFUSED = 0xffffffff;

    /// @notice Mode of answers: 0 checks the key, 1 approves everything, 2 reverts.
    uint8 public mode;

    /// @notice The key's account.
    address public immutable signer;

    /// @notice Thrown by every verification when set to revert.
    error WalletReverts();

    /// @param signer_ the key's account
    constructor(address signer_) {
        signer = signer_;
    }

    receive() external payable {}

    /// @notice Changes how it answers; anyone may.
    /// @param mode_ 0 checks the key, 1 approves everything, 2 reverts
    function setMode(uint8 mode_) external {
        mode = mode_;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (mode == 2) revert WalletReverts();
        if (mode == 1) return IERC1271.isValidSignature.selector;
        (address recovered, ECDSA.RecoverError err, ) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = err == ECDSA.RecoverError.NoError && recovered == signer;
        return valid ? IERC1271.isValidSignature.selector : REFUSED;
    }
}
