// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBatchDeposits} from "./IBatchDeposits.sol";
import {IPinnedReceiver} from "./IPinnedReceiver.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A pinned receiver with every way to pay
/// @notice All of `IPinnedReceiver`, and payments by ERC-2612 permit, by Permit2, by ERC-3009, and of several requests at
/// once. It validates the same and is as immutable; it is apart because every entry point makes the others a little dearer.
///
/// | payment                         | who calls                          | who pays   | what binds the money to the request |
/// |---------------------------------|------------------------------------|------------|-------------------------------------|
/// | `depositErc20WithPermit`        | the owner of the tokens            | the caller | that only the owner can call        |
/// | `depositErc20WithPermit2`       | whom `binding` allows, for anybody | the signer | the witness                         |
/// | `depositErc20WithAuthorization` | whom `binding` allows, for anybody | the signer | the nonce, which is the witness     |
/// | `depositAll`                    | the owner of the money             | the caller | that only the owner can call        |
///
/// With `Binding.Receiver` that is anybody, so a relayer can pay the gas: whoever copies its call does exactly the same.
/// With `Binding.Caller` the record names the caller, as ever, and nobody else can bring it.
///
/// The witness is the EIP-712 struct hash of
/// `DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)`, where `receiver`
/// is this contract. Token and amount are signed beside it, and the chain by the signature's domain.
interface IPinnedReceiverPermits is IPinnedReceiver, IBatchDeposits {
    /// @notice One payment of several.
    /// @param currency The signed `originCurrency`: a token, or zero for the chain's native currency.
    /// @param amount The signed `originAmount`, in the currency's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId Where the fill happens.
    /// @param destinationUser Who receives it: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    struct Payment {
        address currency;
        uint256 amount;
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes signature;
    }

    /// @notice Pays for a request in a token, straight from the caller to the solver, by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not say what it is for. A permit that was brought to the
    /// token before is no obstacle as long as the allowance is there. Reverts as `depositErc20` does, or with `PermitRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId Where the fill happens.
    /// @param destinationUser Who receives it: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    /// @param permit The caller's permit for this contract.
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit calldata permit
    ) external;

    /// @notice Pays for a request in a token by a Permit2 transfer whose witness names the request.
    /// @dev The tokens pass through this contract, because Permit2 leaves no room for the requestId behind the token's
    /// calldata: it follows that of `transfer` to the solver. The owner signs exactly the amount, this contract as spender,
    /// and the witness. The event names the owner as depositor. Reverts as `depositErc20` does, or with
    /// `Permit2TransferRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId Where the fill happens.
    /// @param destinationUser Who receives it: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    /// @param permit The owner's signed transfer.
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external;

    /// @notice Pays for a request in a token by an ERC-3009 authorization that names the request.
    /// @dev The owner signs a `ReceiveWithAuthorization` to this contract over the amount; its nonce is the witness. The tokens
    /// pass through this contract, because an authorization straight to the solver could be brought to the token by anybody
    /// without paying for the request. The requestId follows the calldata of `transfer` to the solver. The event names the
    /// owner as depositor. Reverts as `depositErc20` does, or with `AuthorizationRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId Where the fill happens.
    /// @param destinationUser Who receives it: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    /// @param authorization The owner's.
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Authorization calldata authorization
    ) external;

    /// @notice Pays for several requests, in any mix of currencies, all or none.
    /// @dev Tokens go straight from the caller to the solver under its allowance. What `deposit` and `depositErc20` say holds
    /// for each payment, as do their errors; the first payment that fails is the one reported: see `IBatchDeposits`. Reverts with
    /// `BatchIsEmpty` when there are none, and with `NativeSumMismatch` unless `msg.value` is the sum of the native amounts.
    /// @param payments What is paid for, in the order it is paid in; no request twice.
    function depositAll(Payment[] calldata payments) external payable;
}
