// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {IExpiryCoSignature} from "../../interfaces/receiver/policies/IExpiryCoSignature.sol";
import {SolverSignature} from "../../records/SolverSignature.sol";
import {PolicyChecks} from "../PolicyChecks.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title ExpiryCoSignature
/// @notice Deposits need a deadline that the integrator signed.
abstract contract ExpiryCoSignature is IExpiryCoSignature, PolicyChecks, TwoStepOwner, EIP712 {
    bytes32 private constant EXPIRY_TYPEHASH = keccak256("Expiry(bytes32 requestId,uint256 deadline)");

    /// @dev Deadline, `r` and `vs`, each a word.
    uint256 private constant CO_SIGNATURE_BYTES = 96;

    address private _coSigner;

    /// @inheritdoc IExpiryCoSignature
    function setCoSigner(address coSigner_) external override onlyOwner {
        _setCoSigner(coSigner_);
    }

    /// @inheritdoc IExpiryCoSignature
    function coSigner() external view override returns (address) {
        return _coSigner;
    }

    /// @inheritdoc IExpiryCoSignature
    function expiryDigest(bytes32 requestId, uint256 deadline) public view override returns (bytes32 digest) {
        return _hashTypedData(EfficientHashLib.hash(EXPIRY_TYPEHASH, requestId, bytes32(deadline)));
    }

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal virtual override returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, _checkExpiry(id, policyData));
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    ) internal view virtual override returns (bool) {
        if (index != 0) return super._checkPolicy(index - 1, attempt);
        (, bytes calldata policyData) = _cut(attempt.signature);
        // Behind this policy's bytes stand those of policies that are more derived.
        _checkExpiry(attempt.requestId, policyData[:ExpiryCoSignature._policyDataLength()]);
        return true;
    }

    function _policyDataLength() internal pure virtual override returns (uint256) {
        return super._policyDataLength() + CO_SIGNATURE_BYTES;
    }

    function _setCoSigner(address coSigner_) internal {
        if (coSigner_ == address(this)) revert CoSignerCannotSign(coSigner_);
        _coSigner = coSigner_;
        emit CoSignerChanged(coSigner_);
    }

    /// @dev Takes the co-signature from the end of the data and returns the rest.
    function _checkExpiry(bytes32 id, bytes calldata data) private view returns (bytes calldata rest) {
        uint256 start = data.length - CO_SIGNATURE_BYTES;
        rest = data[:start];
        address signer = _coSigner;
        if (signer == address(0)) return rest;

        (uint256 deadline, bytes32 r, bytes32 vs) = abi.decode(data[start:], (uint256, bytes32, bytes32));
        if (block.timestamp > deadline) revert DepositExpired(deadline, block.timestamp);
        _checkSigned(signer, expiryDigest(id, deadline), r, vs);
    }

    /// @dev `signer` is not zero, so a failed recovery never matches it.
    function _checkSigned(address signer, bytes32 digest, bytes32 r, bytes32 vs) private view {
        bytes32 s = vs & SolverSignature.COMPACT_S_MASK;
        if (s > SolverSignature.MAX_S) revert SolverSignature.SignatureSTooHigh(s);
        address recovered = ECDSA.tryRecover(digest, r, vs);
        if (recovered != signer) revert NotCoSigned(recovered, signer);
    }

    function _domainNameAndVersion()
        internal
        pure
        override
        returns (string memory name, string memory version)
    {
        return ("Waybill", "1");
    }
}
