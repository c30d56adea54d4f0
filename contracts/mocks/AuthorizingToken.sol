// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";

/// @title AuthorizingToken
/// @notice Any other token, with ERC-3009 authorizations on top: every unknown call runs the other token's code on
/// this contract's storage, and an authorization moves tokens by that token's `transferFrom`, with all its ways.
/// Signing domain: "Authorizing", version "1".
/// @dev The payee also needs an allowance, with which the other token moves funds. Ignores the return data of its
/// `transferFrom`: authorizations return nothing.
contract AuthorizingToken is EIP712 {
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    address private immutable IMPLEMENTATION;

    mapping(address owner => mapping(bytes32 nonce => bool isUsed)) private _isUsed;

    /// @notice Thrown when another caller than the payee submits an authorization.
    /// @param caller the caller
    /// @param payee the allowed payee
    error CallerNotPayee(address caller, address payee);

    /// @notice Thrown outside the time of an authorization.
    /// @param time the clock
    error AuthorizationNotValidAt(uint256 time);

    /// @notice Thrown when an authorization was used before.
    /// @param nonce its nonce
    error AuthorizationUsed(bytes32 nonce);

    /// @notice Thrown when the owner did not sign this.
    /// @param recovered the recovered signer
    error AuthorizationNotSigned(address recovered);

    /// @param implementation the other token, deployed
    constructor(address implementation) {
        IMPLEMENTATION = implementation;
    }

    fallback() external {
        _run(msg.data);
    }

    /// @notice Moves an owner's tokens to the caller, as the owner signed.
    /// @param from the owner
    /// @param to the caller
    /// @param value amount
    /// @param validAfter valid only later than this second
    /// @param validBefore valid only earlier than this second
    /// @param nonce the owner's, used once
    /// @param v the signature's recovery id
    /// @param r the signature's first word
    /// @param s the signature's second word
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (msg.sender != to) revert CallerNotPayee(msg.sender, to);
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) {
            revert AuthorizationNotValidAt(block.timestamp);
        }
        if (_isUsed[from][nonce]) revert AuthorizationUsed(nonce);
        bytes32 structHash = keccak256(
            abi.encode(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        address recovered = ECDSA.recover(_hashTypedData(structHash), v, r, s);
        if (recovered != from) revert AuthorizationNotSigned(recovered);
        _isUsed[from][nonce] = true;
        _run(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, value));
    }

    /// @dev Returns or reverts as the other token does; no code runs afterwards.
    function _run(bytes memory data) private {
        (bool success, bytes memory answer) = IMPLEMENTATION.delegatecall(data);
        assembly ("memory-safe") {
            if iszero(success) {
                revert(add(answer, 0x20), mload(answer))
            }
            return(add(answer, 0x20), mload(answer))
        }
    }

    function _domainNameAndVersion()
        internal
        pure
        override
        returns (string memory name, string memory version)
    {
        return ("Authorizing", "1");
    }
}
