// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "solady/src/utils/ECDSA.sol";

import {ICalibur} from "./interfaces/ICalibur.sol";

/// @title Calibur
/// @notice Local stand-in for the batch executor that the service's official client delegates accounts to. Never deploy it
/// to a public chain.
/// @dev Assumptions: only the account's own key signs; registered keys, hooks and ERC-4337 are left out. Unknown calldata is
/// accepted with its value, so that a payment with a requestId reaches a delegated account as it reaches any other.
contract Calibur is ICalibur {
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
    );
    bytes32 private constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "BatchedCall(Call[] calls,bool revertOnFailure)Call(address to,uint256 value,bytes data)"
    );
    bytes32 private constant SIGNED_TYPEHASH = keccak256(
        "SignedBatchedCall(BatchedCall batchedCall,uint256 nonce,bytes32 keyHash,address executor,uint256 deadline)"
        "BatchedCall(Call[] calls,bool revertOnFailure)Call(address to,uint256 value,bytes data)"
    );
    /// @dev The executor's address on every chain.
    bytes32 private constant SALT = bytes32(uint256(uint160(0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00)));
    /// @dev ERC-7201 slot of `waybill.Calibur`: an account may delegate to other code later, which has slots of its own.
    bytes32 private constant STATE =
        keccak256(abi.encode(uint256(keccak256("waybill.Calibur")) - 1)) & ~bytes32(uint256(0xff));

    struct State {
        mapping(uint256 key => uint256 next) sequences;
    }

    /// @notice Accepts native currency.
    receive() external payable {}

    /// @notice Accepts native currency with data.
    fallback() external payable {}

    /// @inheritdoc ICalibur
    function execute(
        SignedBatchedCall calldata signedBatchedCall,
        bytes calldata wrappedSignature
    ) external payable {
        address executor = signedBatchedCall.executor;
        uint256 deadline = signedBatchedCall.deadline;
        if (executor != address(0) && executor != msg.sender) revert Unauthorized();
        if (deadline != 0 && block.timestamp > deadline) revert SignatureExpired();
        if (signedBatchedCall.keyHash != bytes32(0)) revert KeyDoesNotExist();
        _useNonce(signedBatchedCall.nonce);
        (bytes memory signature, ) = abi.decode(wrappedSignature, (bytes, bytes));
        if (ECDSA.tryRecover(_digest(signedBatchedCall), signature) != address(this))
            revert InvalidSignature();
        _run(signedBatchedCall.batchedCall);
    }

    /// @inheritdoc ICalibur
    function getSeq(uint256 key) external view returns (uint256) {
        return _state().sequences[key];
    }

    function _useNonce(uint256 nonce) private {
        uint256 next = _state().sequences[nonce >> 64]++;
        if (next != uint64(nonce)) revert InvalidNonce();
    }

    function _run(BatchedCall calldata batch) private {
        for (uint256 i; i < batch.calls.length; ++i) {
            Call calldata each = batch.calls[i];
            (bool success, bytes memory reason) = each.to.call{value: each.value}(each.data);
            if (!success && batch.revertOnFailure) revert CallFailed(reason);
        }
    }

    function _digest(SignedBatchedCall calldata signed) private view returns (bytes32) {
        bytes32 message = keccak256(
            abi.encode(
                SIGNED_TYPEHASH,
                _hash(signed.batchedCall),
                signed.nonce,
                signed.keyHash,
                signed.executor,
                signed.deadline
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256("Calibur"),
                keccak256("1.0.0"),
                block.chainid,
                address(this),
                SALT
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, message));
    }

    function _hash(BatchedCall calldata batch) private pure returns (bytes32) {
        bytes32[] memory calls = new bytes32[](batch.calls.length);
        for (uint256 i; i < calls.length; ++i) {
            Call calldata each = batch.calls[i];
            calls[i] = keccak256(abi.encode(CALL_TYPEHASH, each.to, each.value, keccak256(each.data)));
        }
        return
            keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(calls)), batch.revertOnFailure));
    }

    function _state() private pure returns (State storage state) {
        bytes32 slot = STATE;
        assembly ("memory-safe") {
            state.slot := slot
        }
    }
}
