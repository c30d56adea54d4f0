// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {DepositPolicies} from "../../contracts/receiver/DepositPolicies.sol";
import {SignatureRecord} from "../../contracts/records/SignatureRecord.sol";
import {AnyPermit2, AnyToken} from "./AnyToken.sol";
import {Proof} from "./Proof.sol";

/// @title Notes
/// @notice Empty at first, unlike contracts in any state.
contract Notes {
    mapping(bytes32 fact => bool) public isNoted;

    function note(bytes32 fact) external {
        isNoted[fact] = true;
    }
}

/// @title NotedPolicies
/// @notice Notes what the hooks of policies are asked.
abstract contract NotedPolicies is DepositPolicies {
    Notes private immutable NOTES;

    constructor(Notes notes) {
        NOTES = notes;
    }

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal virtual override returns (bytes32) {
        NOTES.note(keccak256(abi.encode(id, depositor, currency, amount)));
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(uint256 chain, bytes32 account) internal virtual override returns (bytes32) {
        NOTES.note(keccak256(abi.encode(chain, account)));
        return super._authorizeRecipient(chain, account);
    }
}

/// @title Payments
/// @notice Calls that pay for a record, the solver's message for them, and tokens that do anything.
abstract contract Payments is Proof {
    Notes internal _notes;
    AnyToken internal _token;

    function _placeTokens() internal {
        _notes = new Notes();
        _token = AnyToken(_anyStateOf(address(new AnyToken())));
        VM.etch(0x000000000022D473030F116dDEE9F6B43aC78BA3, address(new AnyPermit2()).code);
    }

    /// @dev The plain ways to pay, in native money or in a token.
    function _callOf(IRecordReceiver.Payment memory paid) internal pure returns (bytes memory) {
        (bytes32 id, uint256 chain, bytes32 user) = (
            paid.requestId,
            paid.destinationChainId,
            paid.destinationUser
        );
        if (paid.currency == address(0)) {
            return abi.encodeCall(IRecordReceiver.deposit, (id, chain, user, paid.signature));
        }
        return
            abi.encodeCall(
                IRecordReceiver.depositErc20,
                (paid.currency, paid.amount, id, chain, user, paid.signature)
            );
    }

    /// @dev Signer of the record that a payment needs, if the receiver is bound to its caller.
    function _solverOf(address payer, IRecordReceiver.Payment memory paid) internal view returns (address) {
        SignatureRecord.Record memory record = SignatureRecord.Record({
            requestId: paid.requestId,
            originChainId: block.chainid,
            originUser: bytes32(uint256(uint160(payer))),
            originCurrency: bytes32(uint256(uint160(paid.currency))),
            originAmount: paid.amount,
            destinationChainId: paid.destinationChainId,
            destinationUser: paid.destinationUser
        });
        return _signerOf(_ethereumMessage(_plainHash(record)), paid.signature);
    }

    function _plainHash(SignatureRecord.Record memory record) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    record.requestId,
                    record.originChainId,
                    record.originUser,
                    record.originCurrency,
                    record.originAmount,
                    record.destinationChainId,
                    record.destinationUser
                )
            );
    }

    function _balanceOf(address currency, address account) internal view returns (uint256) {
        return currency == address(0) ? account.balance : _token.balanceOf(account);
    }

    /// @dev Whether the hooks of policies were asked about a deposit, and about an account that it pays or calls.
    function _isAsked(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount
    ) internal view returns (bool) {
        return _notes.isNoted(keccak256(abi.encode(id, depositor, currency, amount)));
    }

    function _isAsked(uint256 chain, bytes32 account) internal view returns (bool) {
        return _notes.isNoted(keccak256(abi.encode(chain, account)));
    }
}
