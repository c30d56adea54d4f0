// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPinnedReceiver} from "../interfaces/IPinnedReceiver.sol";
import {MeasuredTransfer} from "../libraries/MeasuredTransfer.sol";
import {TaggedTransfer} from "../libraries/TaggedTransfer.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SolverSignature} from "../records/SolverSignature.sol";
import {TransientGuard} from "./TransientGuard.sol";

/// @title PinnedReceiver
/// @notice The gas-minimal validating receiver: immutable, ownerless, one solver.
contract PinnedReceiver is IPinnedReceiver, TransientGuard {
    using SignatureRecord for address;

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

        TaggedTransfer.payNativeWithId(nativePayee, msg.value, requestId);
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

        MeasuredTransfer.transferFromWithId(token, msg.sender, solver, amount, requestId);
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
        if (destinationChainId > SignatureRecord.MAX_CHAIN_ID) {
            revert RecordOfOtherVersion(destinationChainId, SignatureRecord.MAX_CHAIN_ID);
        }
        if (amount == 0) revert AmountIsZero();
        Consumption storage consumption = _consumptions[requestId];
        if (consumption.isPaid != 0) revert RequestAlreadyConsumed(requestId);

        bytes32 digest = SignatureRecord.digestOfFields({
            requestId: requestId,
            originChainId: block.chainid,
            originUser: (_isBoundToCaller ? msg.sender : address(this)).word(),
            originCurrency: currency.word(),
            originAmount: amount,
            destinationChainId: destinationChainId,
            destinationUser: destinationUser
        });
        address recovered = SolverSignature.recover(digest, signature);
        if (recovered != solver) revert RecordNotSignedBySolver(recovered, solver);

        consumption.isPaid = 1;
    }
}
