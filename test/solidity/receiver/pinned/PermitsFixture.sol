// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISignedPulls} from "../../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {AuthorizationToken} from "../../../../contracts/mocks/AuthorizationToken.sol";
import {OwnerSigning} from "../../support/OwnerSigning.sol";
import {PinnedFixture} from "./PinnedFixture.sol";

/// @title PermitsFixture
/// @notice The two receivers, and the owner's signature for each way. `_token` has permits, `_auth` has
/// authorizations, and Permit2 may move both.
abstract contract PermitsFixture is PinnedFixture, OwnerSigning {
    uint256 internal constant FUNDS = type(uint128).max;

    string private constant WITNESS =
        "DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)";

    AuthorizationToken internal _auth;

    function _deployPermits() internal {
        _deployReceivers();
        _auth = new AuthorizationToken();
        _placePermit2();
        _token.mint(OWNER, FUNDS);
        _auth.mint(OWNER, FUNDS);
        VM.deal(OWNER, FUNDS);
        address[3] memory spenders = [address(_byReceiver), address(_byCaller), PERMIT2];
        for (uint256 i; i < spenders.length; ++i) {
            VM.prank(OWNER);
            _auth.approve(spenders[i], type(uint256).max);
            // Only a permit or a plain payment gives a receiver an allowance of the token with permits.
            VM.prank(OWNER);
            _token.approve(spenders[i], spenders[i] == PERMIT2 ? type(uint256).max : 0);
        }
    }

    function _callOf(Payment memory p, Way way) internal returns (bytes memory) {
        if (way == Way.Batch) return _batchOf(p);
        if (p.currency == address(0)) return _callOf(p);
        if (way == Way.Plain) {
            _approve(p);
            return _callOf(p);
        }
        (bytes32 id, uint256 chain, bytes32 user) = (p.requestId, p.destinationChainId, p.destinationUser);
        if (way == Way.Permit) {
            return
                abi.encodeCall(
                    IRecordReceiver.depositErc20WithPermit,
                    (p.currency, p.amount, id, chain, user, p.signature, _permitOf(p))
                );
        }
        if (way == Way.Permit2) {
            return
                abi.encodeCall(
                    IRecordReceiver.depositErc20WithPermit2,
                    (p.currency, p.amount, id, chain, user, p.signature, _permit2Of(p))
                );
        }
        return
            abi.encodeCall(
                IRecordReceiver.depositErc20WithAuthorization,
                (p.currency, p.amount, id, chain, user, p.signature, _authorizationOf(p))
            );
    }

    /// @dev A batch of this one payment.
    function _batchOf(Payment memory payment) private returns (bytes memory) {
        _approve(payment);
        IRecordReceiver.Payment[] memory payments = new IRecordReceiver.Payment[](1);
        payments[0] = IRecordReceiver.Payment({
            currency: payment.currency,
            amount: payment.amount,
            requestId: payment.requestId,
            destinationChainId: payment.destinationChainId,
            destinationUser: payment.destinationUser,
            signature: payment.signature
        });
        return abi.encodeCall(IRecordReceiver.depositAll, (payments));
    }

    function _approve(Payment memory payment) private {
        if (payment.currency != address(0))
            _approve(payment.currency, address(payment.receiver), payment.amount);
    }

    function _permitOf(Payment memory payment) private returns (ISignedPulls.Permit memory permit) {
        if (payment.currency != address(_token)) {
            // A token without permits refuses any; the allowance exists.
            _approve(payment);
            return permit;
        }
        permit.value = payment.amount;
        permit.deadline = type(uint256).max;
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
                ),
                OWNER,
                address(payment.receiver),
                permit.value,
                _token.nonces(OWNER),
                permit.deadline
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", _token.DOMAIN_SEPARATOR(), structHash));
        (permit.v, permit.r, permit.s) = VM.sign(OWNER_KEY, digest);
    }

    function _permit2Of(Payment memory payment) private returns (ISignedPulls.Permit2Transfer memory) {
        string memory types = string.concat(
            "DepositWitness witness)",
            WITNESS,
            "TokenPermissions(address token,uint256 amount)"
        );
        address spender = address(payment.receiver);
        return _signTransfer(payment.currency, payment.amount, spender, _witnessOf(payment), types);
    }

    function _authorizationOf(
        Payment memory payment
    ) private view returns (ISignedPulls.Authorization memory) {
        address receiver = address(payment.receiver);
        return _signAuthorization(payment.currency, payment.amount, receiver, _witnessOf(payment));
    }

    function _witnessOf(Payment memory payment) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(bytes(WITNESS)),
                    payment.requestId,
                    payment.destinationChainId,
                    payment.destinationUser,
                    address(payment.receiver)
                )
            );
    }
}
