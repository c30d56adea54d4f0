// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IManagedReceiver} from "../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {ManagedReceiver} from "../../contracts/receiver/ManagedReceiver.sol";
import {Payments} from "./Payments.sol";

/// @title PolicyProofs
/// @notice From any state of a managed receiver, a deposit of native money or of a token passes only if every policy does.
contract PolicyProofs is Payments {
    ManagedReceiver private _receiver;

    function setUp() external {
        IManagedReceiver.Configuration memory configuration;
        configuration.owner = OWNER;
        configuration.binding = IRecordReceiver.Binding.Caller;
        _receiver = ManagedReceiver(payable(_anyStateOf(address(new ManagedReceiver(configuration)))));
        _placeTokens();
    }

    /// @custom:halmos --default-bytes-lengths 161
    /// @custom:mutant contracts/receiver/policies/PausePolicy.sol: _checkNotPaused();\n        return super -> return super
    /// @custom:mutant contracts/receiver/policies/CurrencyLimits.sol: if (amount > maximum) -> if (amount > maximum + 1)
    /// @custom:mutant contracts/receiver/policies/RecipientAllowListMapping.sol: _checkRecipient(chain, account);\n        return super -> return super
    /// @custom:mutant contracts/receiver/policies/ExpiryCoSignature.sol: if (block.timestamp > deadline) -> if (deadline == 0)
    /// @custom:mutant contracts/receiver/policies/SolverSet.sol: block.timestamp >= activeUntil) -> block.timestamp > activeUntil)
    function check_DepositPassesEveryPolicy(
        address payer,
        IRecordReceiver.Payment memory paid,
        bool isNative
    ) external {
        if (!_deposit(payer, paid, isNative)) return;
        assert(!_receiver.isPaused());
        (uint256 minimum, uint256 maximum) = _receiver.currencyLimits(paid.currency);
        assert(minimum <= paid.amount && paid.amount <= maximum);
        bool isListed = _receiver.isRecipientListed(paid.destinationChainId, paid.destinationUser);
        assert(_receiver.isRecipientListOpen() ? paid.destinationUser != 0 : isListed);
        _checkSignatures(payer, paid);
    }

    function _checkSignatures(address payer, IRecordReceiver.Payment memory paid) private view {
        address solver = _solverOf(payer, paid);
        assert(_receiver.isActiveSolver(solver) && !_receiver.solverOf(solver).usesErc1271);
        address coSigner = _receiver.coSigner();
        if (coSigner == address(0)) return;
        (uint256 deadline, bytes32 r, bytes32 vs) = _coSignature(paid.signature);
        assert(block.timestamp <= deadline);
        bytes32 digest = _receiver.expiryDigest(paid.requestId, deadline);
        assert(_signerOf(digest, abi.encode(r, vs)) == coSigner);
    }

    function _deposit(
        address payer,
        IRecordReceiver.Payment memory paid,
        bool isNative
    ) private returns (bool) {
        VM.warp(SYMBOLS.createUint256("time"));
        paid.currency = isNative ? address(0) : address(_token);
        return _callAs(payer, address(_receiver), isNative ? paid.amount : 0, _callOf(paid));
    }

    /// @dev The 96 bytes after the solver's 65.
    function _coSignature(
        bytes memory signature
    ) private pure returns (uint256 deadline, bytes32 r, bytes32 vs) {
        assembly ("memory-safe") {
            deadline := mload(add(signature, 0x61))
            r := mload(add(signature, 0x81))
            vs := mload(add(signature, 0xa1))
        }
    }
}
