// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "solady/src/auth/Ownable.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {SignatureCheckerLib} from "solady/src/utils/SignatureCheckerLib.sol";
import {Call, CallRequest, CallResult, IRelayDepository} from "./interfaces/IRelayDepository.sol";

/// @title RelayDepository
/// @notice Local stand-in for the service's depository. Never deploy it to a public chain.
/// @dev Assumption: the order of checks is production's: time, signature, single use. A request that is expired and
/// forged reports its expiry.
contract RelayDepository is IRelayDepository, Ownable, EIP712 {
    using SafeTransferLib for address;

    /// @inheritdoc IRelayDepository
    bytes32 public constant _CALL_TYPEHASH = keccak256(
        "Call(address to,bytes data,uint256 value,bool allowFailure)"
    );

    /// @inheritdoc IRelayDepository
    bytes32 public constant _CALL_REQUEST_TYPEHASH = keccak256(
        "CallRequest(Call[] calls,uint256 nonce,uint256 expiration)"
        "Call(address to,bytes data,uint256 value,bool allowFailure)"
    );

    /// @inheritdoc IRelayDepository
    mapping(bytes32 structHash => bool) public callRequests;

    /// @inheritdoc IRelayDepository
    address public allocator;

    /// @param initialOwner account that may replace the allocator
    /// @param initialAllocator account whose signature moves funds out
    constructor(address initialOwner, address initialAllocator) {
        _initializeOwner(initialOwner);
        allocator = initialAllocator;
    }

    /// @inheritdoc IRelayDepository
    function setAllocator(address newAllocator) external onlyOwner {
        if (newAllocator == address(0)) revert AddressCannotBeZero();
        allocator = newAllocator;
    }

    /// @inheritdoc IRelayDepository
    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(_orSender(depositor), msg.value, id);
    }

    /// @inheritdoc IRelayDepository
    function depositErc20(address depositor, address token, bytes32 id) external {
        depositErc20(depositor, token, IERC20(token).allowance(msg.sender, address(this)), id);
    }

    /// @inheritdoc IRelayDepository
    function execute(
        CallRequest calldata request,
        bytes calldata signature
    ) external returns (CallResult[] memory results) {
        if (request.expiration < block.timestamp) revert CallRequestExpired();

        bytes32 structHash = _hashRequest(request);
        if (
            !SignatureCheckerLib.isValidSignatureNowCalldata(allocator, _hashTypedData(structHash), signature)
        ) {
            revert InvalidSignature();
        }

        if (callRequests[structHash]) revert CallRequestAlreadyUsed();
        callRequests[structHash] = true;

        return _makeCalls(structHash, request.calls);
    }

    /// @inheritdoc IRelayDepository
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) public {
        token.safeTransferFrom(msg.sender, address(this), amount);
        emit RelayErc20Deposit(_orSender(depositor), token, amount, id);
    }

    function _makeCalls(
        bytes32 structHash,
        Call[] calldata calls
    ) private returns (CallResult[] memory results) {
        results = new CallResult[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            Call calldata each = calls[i];
            (bool success, bytes memory returnData) = each.to.call{value: each.value}(each.data);
            if (!success && !each.allowFailure) revert CallFailed(returnData);
            results[i] = CallResult(success, returnData);
            if (success) emit RelayCallExecuted(structHash, each);
        }
    }

    function _orSender(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    function _hashRequest(CallRequest calldata request) private pure returns (bytes32) {
        bytes32[] memory callHashes = new bytes32[](request.calls.length);
        for (uint256 i; i < request.calls.length; ++i) {
            Call calldata each = request.calls[i];
            callHashes[i] = keccak256(
                abi.encode(_CALL_TYPEHASH, each.to, keccak256(each.data), each.value, each.allowFailure)
            );
        }
        return
            keccak256(
                abi.encode(
                    _CALL_REQUEST_TYPEHASH,
                    keccak256(abi.encodePacked(callHashes)),
                    request.nonce,
                    request.expiration
                )
            );
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("RelayDepository", "1");
    }
}
