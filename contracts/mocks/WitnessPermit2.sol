// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureCheckerLib} from "solady/src/utils/SignatureCheckerLib.sol";
import {ISignatureTransfer} from "../interfaces/external/ISignatureTransfer.sol";
import {IPermit2} from "../service/interfaces/IPermit2.sol";

/// @title WitnessPermit2
/// @notice The one function of Permit2 the approval proxies call, with Permit2's domain, type hashes, nonces
///         and errors, so that a signature made for Permit2 is checked for real.
contract WitnessPermit2 is IPermit2 {
    using SafeERC20 for IERC20;

    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,uint256 chainId,address verifyingContract)"
    );

    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH = keccak256(
        "TokenPermissions(address token,uint256 amount)"
    );

    string private constant BATCH_TYPE_STUB =
        "PermitBatchWitnessTransferFrom("
        "TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,";

    /// @notice Which nonces an owner has used, 256 in a word.
    mapping(address owner => mapping(uint256 word => uint256 bits)) public nonceBitmap;

    /// @notice Thrown when the deadline is over.
    /// @param signatureDeadline the deadline
    error SignatureExpired(uint256 signatureDeadline);

    /// @notice Thrown when more is taken than was signed.
    /// @param maxAmount the most that may be taken
    error InvalidAmount(uint256 maxAmount);

    /// @notice Thrown when there are not as many transfers as tokens.
    error LengthMismatch();

    /// @notice Thrown when the nonce was used before.
    error InvalidNonce();

    /// @notice Thrown when the owner did not sign this.
    error InvalidSigner();

    /// @inheritdoc IPermit2
    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        ISignatureTransfer.SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (permit.permitted.length != transferDetails.length) revert LengthMismatch();
        _useNonce(owner, permit.nonce);

        bytes32 structHash = _hashPermit(permit, witness, witnessTypeString);
        bytes32 digest = MessageHashUtils.toTypedDataHash(_domainSeparator(), structHash);
        if (!SignatureCheckerLib.isValidSignatureNowCalldata(owner, digest, signature)) {
            revert InvalidSigner();
        }

        for (uint256 i; i < transferDetails.length; ++i) {
            ISignatureTransfer.TokenPermissions calldata permitted = permit.permitted[i];
            uint256 amount = transferDetails[i].requestedAmount;
            if (amount > permitted.amount) revert InvalidAmount(permitted.amount);
            if (amount > 0) IERC20(permitted.token).safeTransferFrom(owner, transferDetails[i].to, amount);
        }
    }

    function _useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << uint8(nonce);
        uint256 word = nonce >> 8;
        if (nonceBitmap[owner][word] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][word] |= bit;
    }

    function _hashPermit(
        PermitBatchTransferFrom calldata permit,
        bytes32 witness,
        string calldata witnessTypeString
    ) private view returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](permit.permitted.length);
        for (uint256 i; i < hashes.length; ++i) {
            hashes[i] = keccak256(abi.encode(TOKEN_PERMISSIONS_TYPEHASH, permit.permitted[i]));
        }
        return
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(BATCH_TYPE_STUB, witnessTypeString)),
                    keccak256(abi.encodePacked(hashes)),
                    msg.sender,
                    permit.nonce,
                    permit.deadline,
                    witness
                )
            );
    }

    /// @dev Unlike most, Permit2's domain has no version.
    function _domainSeparator() private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }
}
