// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "solady/src/utils/ReentrancyGuardTransient.sol";
import {IPinnedReceiver} from "../interfaces/IPinnedReceiver.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {TaggedTransfer} from "../libraries/TaggedTransfer.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";

/// @title PinnedReceiver
/// @notice The gas-minimal validating receiver: immutable, ownerless, one solver.
contract PinnedReceiver is IPinnedReceiver, ReentrancyGuardTransient {
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecord for address;

    /// @dev The service's chain ids are EVM ones and small ones of its own; an account with so many leading zeros has no key.
    uint256 private constant MAX_CHAIN_ID = type(uint64).max;

    /// @inheritdoc IPinnedReceiver
    address public immutable override solver;

    /// @inheritdoc IPinnedReceiver
    address public immutable override nativePayee;

    /// @dev A `bool`, because reading an enumeration checks its range each time.
    bool private immutable _isBoundToCaller;

    /// @dev One once the request is paid. A whole word, because a `bool` would be read again before it is written.
    struct Consumption {
        uint256 isPaid;
    }

    mapping(bytes32 requestId => Consumption) private _consumptions;

    /// @param solver_ Whose signature is needed, and who is paid in tokens.
    /// @param nativePayee_ Where native money goes: `solver_`, or the service's receiver for that solver.
    /// @param binding_ Whose address records must name as `originUser`.
    constructor(address solver_, address nativePayee_, Binding binding_) {
        if (solver_ == address(0) || nativePayee_ == address(0)) revert AddressIsZero();
        solver = solver_;
        nativePayee = nativePayee_;
        _isBoundToCaller = binding_ == Binding.Caller;
    }

    /// @inheritdoc IPinnedReceiver
    function deposit(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external payable override {
        // No reentrancy guard: the id is consumed before the only outside call and no balance is measured.
        _consume(requestId, address(0), msg.value, destinationChainId, destinationUser, signature);
        emit NativeDeposited(requestId, msg.sender, msg.value);

        if (!BoundedCall.tryCall(nativePayee, msg.value, requestId)) {
            revert PayeeRejectedNative(nativePayee, msg.value, BoundedCall.revertReason());
        }
    }

    /// @inheritdoc IPinnedReceiver
    function depositErc20(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external override nonReentrant {
        // Guarded, because a token that calls back could let one arrival be measured for two deposits of this receiver.
        _consume(requestId, token, amount, destinationChainId, destinationUser, signature);
        emit Erc20Deposited(requestId, msg.sender, token, amount);

        uint256 balanceBefore = TokenReads.balanceOf(token, solver);
        TaggedTransfer.transferFromWithId(token, msg.sender, solver, amount, requestId);
        uint256 balanceAfter = TokenReads.balanceOf(token, solver);

        uint256 arrived = balanceAfter > balanceBefore ? balanceAfter - balanceBefore : 0;
        if (arrived != amount) revert ArrivedAmountMismatch(token, amount, arrived);
    }

    /// @inheritdoc IPinnedReceiver
    function binding() external view override returns (Binding) {
        return _isBoundToCaller ? Binding.Caller : Binding.Receiver;
    }

    /// @inheritdoc IPinnedReceiver
    function isConsumed(bytes32 requestId) external view override returns (bool) {
        return _consumptions[requestId].isPaid != 0;
    }

    /// @dev Every deposit's first half: inputs, replay, authority, effect. Nothing outside is called. Contracts that add ways
    /// to pay start with it; once it returns, the request counts as paid, so they pay exactly `amount` or revert.
    function _consume(
        bytes32 requestId,
        address currency,
        uint256 amount,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) internal {
        if (destinationChainId > MAX_CHAIN_ID) revert RecordOfOtherVersion(destinationChainId, MAX_CHAIN_ID);
        if (amount == 0) revert AmountIsZero();
        Consumption storage consumption = _consumptions[requestId];
        if (consumption.isPaid != 0) revert RequestAlreadyConsumed(requestId);

        address recovered = SignatureRecord
            .Record({
                requestId: requestId,
                originChainId: block.chainid,
                originUser: (_isBoundToCaller ? msg.sender : address(this)).word(),
                originCurrency: currency.word(),
                originAmount: amount,
                destinationChainId: destinationChainId,
                destinationUser: destinationUser
            })
            .recover(signature);
        if (recovered != solver) revert RecordNotSignedBySolver(recovered, solver);

        consumption.isPaid = 1;
    }

    /// @dev Solady keeps its guard in storage on chains other than mainnet unless told otherwise; Waybill needs Cancun anyway.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
