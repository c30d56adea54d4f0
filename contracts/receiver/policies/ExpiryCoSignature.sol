// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {IExpiryCoSignature} from "../../interfaces/receiver/policies/IExpiryCoSignature.sol";
import {SolverSignature} from "../../records/SolverSignature.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title ExpiryCoSignature
/// @notice Deposits need a deadline that the integrator signed, together with the amount if the solver did not sign it.
abstract contract ExpiryCoSignature is IExpiryCoSignature, TwoStepOwner, EIP712 {
    bytes32 private constant EXPIRY_TYPEHASH = keccak256("Expiry(bytes32 requestId,uint256 deadline)");

    bytes32 private constant AMOUNT_EXPIRY_TYPEHASH = keccak256(
        "AmountExpiry(bytes32 requestId,uint256 amount,uint256 deadline)"
    );

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

    /// @inheritdoc IExpiryCoSignature
    function amountExpiryDigest(
        bytes32 requestId,
        uint256 amount,
        uint256 deadline
    ) public view override returns (bytes32 digest) {
        return
            _hashTypedData(
                EfficientHashLib.hash(AMOUNT_EXPIRY_TYPEHASH, requestId, bytes32(amount), bytes32(deadline))
            );
    }

    /// @inheritdoc IExpiryCoSignature
    function checkDeadline(uint256 deadline) public view override {
        // The clock first: before the deadline, the co-signer is not read.
        if (block.timestamp > deadline && _coSigner != address(0)) {
            revert DepositExpired(deadline, block.timestamp);
        }
    }

    /// @inheritdoc IExpiryCoSignature
    function checkExpiry(bytes32 requestId, CoSignature calldata coSignature) public view override {
        address signer = _coSigner;
        if (signer == address(0)) return;
        _checkSigned(signer, expiryDigest(requestId, coSignature.deadline), coSignature);
    }

    /// @inheritdoc IExpiryCoSignature
    function checkAmountExpiry(
        bytes32 requestId,
        uint256 amount,
        CoSignature calldata coSignature
    ) public view override {
        address signer = _coSigner;
        if (signer == address(0)) revert CoSignerNotSet();
        _checkSigned(signer, amountExpiryDigest(requestId, amount, coSignature.deadline), coSignature);
    }

    function _setCoSigner(address coSigner_) internal {
        if (coSigner_ == address(this)) revert CoSignerCannotSign(coSigner_);
        _coSigner = coSigner_;
        emit CoSignerChanged(coSigner_);
    }

    /// @dev `signer` is not zero, so a failed recovery never matches it.
    function _checkSigned(address signer, bytes32 digest, CoSignature calldata coSignature) private view {
        bytes32 s = coSignature.vs & SolverSignature.COMPACT_S_MASK;
        if (s > SolverSignature.MAX_S) revert SolverSignature.SignatureSTooHigh(s);
        address recovered = ECDSA.tryRecover(digest, coSignature.r, coSignature.vs);
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
