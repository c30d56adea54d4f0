// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "../../../contracts/interfaces/external/ISignatureTransfer.sol";
import {ISignedPulls} from "../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {Permit2Double} from "./Permit2Double.sol";
import {Signing} from "./Signing.sol";

/// @title OwnerSigning
/// @notice A payer with a key, and its signatures for Permit2 and for tokens with authorizations.
abstract contract OwnerSigning is Signing {
    /// @notice The ways to pay, native currency among them.
    enum Way {
        Plain,
        Permit,
        Permit2,
        Authorization,
        Batch
    }

    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    uint256 internal constant OWNER_KEY = uint256(keccak256("the owner's key"));

    address internal immutable OWNER = VM.addr(OWNER_KEY);

    uint256 private _nonces;

    /// @dev Name of the signing domain of every token with authorizations, unless a test sets another.
    string internal _authorizationDomain = "Authorization";

    function _placePermit2() internal {
        VM.etch(PERMIT2, address(new Permit2Double()).code);
    }

    /// @dev Approves as the owner, whatever the token returns.
    function _approve(address token, address spender, uint256 amount) internal {
        VM.prank(OWNER);
        (bool success, ) = token.call(abi.encodeWithSignature("approve(address,uint256)", spender, amount));
        _assertEq(success, true);
    }

    function _signTransfer(
        address token,
        uint256 amount,
        address spender,
        bytes32 witness,
        string memory witnessTypes
    ) internal returns (ISignedPulls.Permit2Transfer memory permit) {
        permit.owner = OWNER;
        permit.nonce = ++_nonces;
        permit.deadline = type(uint256).max;
        ISignatureTransfer.PermitTransferFrom memory signed = ISignatureTransfer.PermitTransferFrom({
            permitted: ISignatureTransfer.TokenPermissions({token: token, amount: amount}),
            nonce: permit.nonce,
            deadline: permit.deadline
        });
        bytes32 digest = Permit2Double(PERMIT2).hashOf(signed, spender, witness, witnessTypes);
        permit.signature = _signDigest(OWNER_KEY, digest);
    }

    function _signAuthorization(
        address token,
        uint256 amount,
        address to,
        bytes32 nonce
    ) internal view returns (ISignedPulls.Authorization memory authorization) {
        authorization.owner = OWNER;
        authorization.validBefore = type(uint256).max;
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                OWNER,
                to,
                amount,
                authorization.validAfter,
                authorization.validBefore,
                nonce
            )
        );
        bytes32 digest = _typedDigest(_authorizationDomain, token, structHash);
        (authorization.v, authorization.r, authorization.s) = VM.sign(OWNER_KEY, digest);
    }
}
