// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {OrderFacet} from "../examples/OrderFacet.sol";

/// @title LocalOrderFacet
/// @notice `OrderFacet` on local chains, and the two patterns of today's aggregators, for the same calls:
/// no check at all, and a backend's signature with a flag for each used id.
contract LocalOrderFacet is OrderFacet {
    bytes32 private constant PAYLOAD_TYPEHASH = keccak256(
        "Payload(bytes32 orderId,address asset,uint256 minAmount,uint256 destinationChainId,bytes receiver,bytes outputAsset,uint256 minOutput,address refundTo,address depositor,uint256 deadline)"
    );
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );

    address private immutable _backend;

    mapping(bytes32 orderId => bool) private _isUsed;

    error SignatureExpired(uint256 deadline);
    error OrderUsed(bytes32 orderId);
    error BackendDiffers(address signer, address expected);

    constructor(
        address depository_,
        address solver_,
        address router_,
        address backend_
    ) OrderFacet(depository_, solver_, router_) {
        _backend = backend_;
    }

    function depositUnchecked(BridgeData calldata bridge, bytes32 orderId) external payable {
        _take(bridge);
        _deposit(bridge, orderId);
    }

    function depositBacked(
        BridgeData calldata bridge,
        bytes32 orderId,
        uint256 deadline,
        bytes calldata signature
    ) external payable {
        if (deadline < block.timestamp) revert SignatureExpired(deadline);
        if (_isUsed[orderId]) revert OrderUsed(orderId);
        _isUsed[orderId] = true;
        address signer = ECDSA.recoverCalldata(payloadDigest(bridge, orderId, deadline), signature);
        if (signer != _backend) revert BackendDiffers(signer, _backend);
        _take(bridge);
        _deposit(bridge, orderId);
    }

    /// @notice Digest that the backend signs. A diamond's address is not the facet's, so the domain is not cached.
    function payloadDigest(
        BridgeData calldata bridge,
        bytes32 orderId,
        uint256 deadline
    ) public view returns (bytes32) {
        bytes32 payload = keccak256(
            abi.encode(
                PAYLOAD_TYPEHASH,
                orderId,
                bridge.asset,
                bridge.minAmount,
                bridge.destinationChainId,
                keccak256(bridge.receiver),
                keccak256(bridge.outputAsset),
                bridge.minOutput,
                bridge.refundTo,
                bridge.depositor,
                deadline
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256("LocalOrderFacet"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, payload));
    }

    /// @dev The emulator's names of the local chains, after those of the table.
    function _nameOf(uint256 chainId) internal view override returns (bytes32) {
        bytes32 name = super._nameOf(chainId);
        if (name != 0) return name;
        if (chainId == 31_337) return keccak256("alpha");
        return chainId == 31_338 ? keccak256("beta") : bytes32(0);
    }
}
