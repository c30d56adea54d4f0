// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IBatchDeposits} from "../../../contracts/interfaces/receiver/IBatchDeposits.sol";
import {IPinnedReceiver} from "../../../contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";

/// @title ReferenceReceiver
/// @notice `PinnedReceiver` written for clarity: each check in one line, by `abi.encode`, `ecrecover` and a mapping.
contract ReferenceReceiver {
    uint256 private constant HALF_OF_THE_CURVE_ORDER =
        0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    mapping(bytes32 requestId => address) public depositorOf;

    address private immutable SOLVER;
    address private immutable NATIVE_PAYEE;
    /// @dev Account that records must name; zero for the caller.
    address private immutable BOUND;

    constructor(address solver, address nativePayee, address bound) {
        (SOLVER, NATIVE_PAYEE, BOUND) = (solver, nativePayee, bound);
    }

    function deposit(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external payable {
        _accept(
            IRecordReceiver.Payment(
                address(0),
                msg.value,
                requestId,
                destinationChainId,
                destinationUser,
                signature
            )
        );
        _payNative(msg.value, requestId);
    }

    function depositErc20(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external {
        _accept(
            IRecordReceiver.Payment(token, amount, requestId, destinationChainId, destinationUser, signature)
        );
        _payToken(token, amount);
    }

    function depositAll(IRecordReceiver.Payment[] calldata payments) external payable {
        if (payments.length == 0) revert IBatchDeposits.BatchIsEmpty();
        uint256 sum;
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == address(0)) sum += payments[i].amount;
            _accept(payments[i]);
        }
        if (sum != msg.value) revert IBatchDeposits.NativeSumMismatch(sum, msg.value);
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == address(0)) _payNative(payments[i].amount, payments[i].requestId);
            else _payToken(payments[i].currency, payments[i].amount);
        }
    }

    function _accept(IRecordReceiver.Payment memory payment) private {
        if (payment.amount == 0) revert IRecordReceiver.AmountIsZero();
        if (depositorOf[payment.requestId] != address(0)) {
            revert IRecordReceiver.RequestAlreadyConsumed(payment.requestId);
        }
        if (payment.destinationChainId > type(uint64).max) {
            revert IRecordReceiver.RecordOfOtherVersion(payment.destinationChainId, type(uint64).max);
        }
        bytes32 record = keccak256(
            abi.encode(
                payment.requestId,
                block.chainid,
                BOUND == address(0) ? msg.sender : BOUND,
                payment.currency,
                payment.amount,
                payment.destinationChainId,
                payment.destinationUser
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", record));
        address signer = _signerOf(digest, payment.signature);
        if (signer != SOLVER) revert IPinnedReceiver.RecordNotSignedBySolver(signer, SOLVER);
        depositorOf[payment.requestId] = msg.sender;
    }

    function _signerOf(bytes32 digest, bytes memory signature) private pure returns (address signer) {
        if (signature.length != 65 && signature.length != 64) {
            revert SolverSignature.SignatureLengthInvalid(signature.length);
        }
        (bytes32 r, uint256 s) = abi.decode(signature, (bytes32, uint256));
        uint8 v = signature.length == 65 ? uint8(signature[64]) : uint8(27 + s / 2 ** 255);
        if (signature.length == 64) s = s % 2 ** 255;
        if (s > HALF_OF_THE_CURVE_ORDER) revert SolverSignature.SignatureSTooHigh(bytes32(s));
        signer = ecrecover(digest, v, r, bytes32(s));
        if (signer == address(0)) revert SolverSignature.SignatureRecoversNobody();
    }

    function _payNative(uint256 amount, bytes32 requestId) private {
        (bool success, bytes memory reason) = NATIVE_PAYEE.call{value: amount}(abi.encode(requestId));
        if (!success) revert IRecordReceiver.PayeeRejectedNative(NATIVE_PAYEE, amount, reason);
    }

    function _payToken(address token, uint256 amount) private {
        uint256 before = IERC20(token).balanceOf(SOLVER);
        (bool success, bytes memory reason) = token.call(
            abi.encodeCall(IERC20.transferFrom, (msg.sender, SOLVER, amount))
        );
        if (!success) revert TransferWithId.TokenTransferFailed(token, reason);
        uint256 arrived = IERC20(token).balanceOf(SOLVER) - before;
        if (arrived != amount) revert IRecordReceiver.ArrivedAmountMismatch(token, amount, arrived);
    }
}
