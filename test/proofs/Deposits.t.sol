// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISignedPulls} from "../../contracts/interfaces/receiver/ISignedPulls.sol";
import {PinnedReceiver} from "../../contracts/receiver/PinnedReceiver.sol";
import {AnyPermit2, AnyToken} from "./AnyToken.sol";
import {Proof} from "./Proof.sol";

/// @title NotedReceiver
/// @notice Notes what the hooks of policies are asked.
contract NotedReceiver is PinnedReceiver {
    mapping(bytes32 question => bool) public isAsked;

    constructor(
        address solver,
        address payee,
        address refundPayee
    ) PinnedReceiver(solver, payee, Binding.Caller, refundPayee) {}

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override returns (bytes32) {
        isAsked[keccak256(abi.encode(id, depositor, currency, amount))] = true;
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(uint256 chain, bytes32 account) internal override returns (bytes32) {
        isAsked[keccak256(abi.encode(chain, account))] = true;
        return super._authorizeRecipient(chain, account);
    }
}

/// @title DepositProofs
/// @notice From any state, each way to pay succeeds only if the solver signed this payment, the id was free and the payee got the
/// amount. It has then asked both hooks about this payment and noted the depositor.
contract DepositProofs is Proof {
    NotedReceiver private _receiver;
    AnyToken private _token;

    function setUp() external {
        _receiver = NotedReceiver(payable(_anyStateOf(address(new NotedReceiver(SOLVER, PAYEE, OWNER)))));
        _token = AnyToken(_anyStateOf(address(new AnyToken())));
        VM.etch(0x000000000022D473030F116dDEE9F6B43aC78BA3, address(new AnyPermit2()).code);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/receiver/PinnedReceiver.sol: recovered != solver -> recovered == address(0)
    function check_Native(address payer, IRecordReceiver.Payment memory paid) external {
        paid.currency = address(0);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.deposit,
            (paid.requestId, paid.destinationChainId, paid.destinationUser, paid.signature)
        );
        _check(payer, payer, data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/libraries/MeasuredTransfer.sol: if (arrived != amount) -> if (arrived < amount)
    function check_Erc20(address payer, IRecordReceiver.Payment memory paid) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature
            )
        );
        _check(payer, payer, data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/receiver/RefundReceiver.sol: entry.depositor != 0 -> entry.depositor == 1
    function check_Erc20WithPermit(
        address payer,
        IRecordReceiver.Payment memory paid,
        ISignedPulls.Permit memory permit
    ) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20WithPermit,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature,
                permit
            )
        );
        _check(payer, payer, data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 65
    /// @custom:mutant contracts/receiver/RecordReceiver.sol: permit.owner, -> msg.sender,
    function check_Erc20WithPermit2(
        address payer,
        IRecordReceiver.Payment memory paid,
        ISignedPulls.Permit2Transfer memory permit
    ) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20WithPermit2,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature,
                permit
            )
        );
        _check(payer, permit.owner, data, paid);
    }

    /// @custom:halmos --default-bytes-lengths 64,65
    /// @custom:mutant contracts/libraries/SignedPayments.sol: requireArrival(token, payee, payeeBefore, amount) -> requireUnchanged(token, ownBefore)
    function check_Erc20WithAuthorization(
        address payer,
        IRecordReceiver.Payment memory paid,
        ISignedPulls.Authorization memory authorization
    ) external {
        paid.currency = address(_token);
        bytes memory data = abi.encodeCall(
            IRecordReceiver.depositErc20WithAuthorization,
            (
                paid.currency,
                paid.amount,
                paid.requestId,
                paid.destinationChainId,
                paid.destinationUser,
                paid.signature,
                authorization
            )
        );
        _check(payer, authorization.owner, data, paid);
    }

    /// @notice Two native payments, and a token's after a native one.
    /// @custom:halmos --default-bytes-lengths 65
    /// @custom:mutant contracts/receiver/RecordReceiver.sol: nativeSum != msg.value -> nativeSum > msg.value
    function check_Batch(
        address payer,
        IRecordReceiver.Payment memory first,
        IRecordReceiver.Payment memory second,
        bool isSecondNative
    ) external {
        first.currency = address(0);
        second.currency = isSecondNative ? address(0) : address(_token);
        IRecordReceiver.Payment[] memory payments = new IRecordReceiver.Payment[](2);
        (payments[0], payments[1]) = (first, second);
        _assumeNew(payer, first);
        _assumeNew(payer, second);
        bool wereFree = _isFree(first) && _isFree(second);
        uint256 held = PAYEE.balance;
        uint256 value = SYMBOLS.createUint256("value");
        if (
            !_callAs(payer, address(_receiver), value, abi.encodeCall(IRecordReceiver.depositAll, (payments)))
        ) return;

        assert(wereFree && first.requestId != second.requestId);
        _checkAccepted(payer, payer, first);
        _checkAccepted(payer, payer, second);
        unchecked {
            assert(PAYEE.balance - held == value);
        }
        assert(value == first.amount + (isSecondNative ? second.amount : 0));
    }

    function _check(
        address payer,
        address depositor,
        bytes memory data,
        IRecordReceiver.Payment memory paid
    ) private {
        bool isNative = paid.currency == address(0);
        address payee = isNative ? PAYEE : SOLVER;
        _assumeNew(depositor, paid);
        bool wasFree = _isFree(paid);
        uint256 held = _balanceOf(paid.currency, payee);
        if (!_callAs(payer, address(_receiver), isNative ? paid.amount : 0, data)) return;

        assert(wasFree);
        _checkAccepted(payer, depositor, paid);
        unchecked {
            assert(_balanceOf(paid.currency, payee) - held == paid.amount);
        }
    }

    function _checkAccepted(
        address payer,
        address depositor,
        IRecordReceiver.Payment memory paid
    ) private view {
        bytes32 record = keccak256(
            abi.encode(
                paid.requestId,
                block.chainid,
                payer,
                paid.currency,
                paid.amount,
                paid.destinationChainId,
                paid.destinationUser
            )
        );
        assert(_signerOf(_ethereumMessage(record), paid.signature) == SOLVER);
        assert(_receiver.depositorOf(paid.requestId) == depositor);
        assert(paid.amount != 0);
        (bytes32 ofDeposit, bytes32 ofRecipient) = _questions(depositor, paid);
        assert(_receiver.isAsked(ofDeposit) && _receiver.isAsked(ofRecipient));
    }

    /// @dev Any state may hold notes of this payment already.
    function _assumeNew(address depositor, IRecordReceiver.Payment memory paid) private view {
        VM.assume(depositor != PAYEE && depositor != SOLVER);
        (bytes32 ofDeposit, bytes32 ofRecipient) = _questions(depositor, paid);
        VM.assume(!_receiver.isAsked(ofDeposit) && !_receiver.isAsked(ofRecipient));
    }

    function _questions(
        address depositor,
        IRecordReceiver.Payment memory paid
    ) private pure returns (bytes32 ofDeposit, bytes32 ofRecipient) {
        ofDeposit = keccak256(abi.encode(paid.requestId, depositor, paid.currency, paid.amount));
        ofRecipient = keccak256(abi.encode(paid.destinationChainId, paid.destinationUser));
    }

    function _isFree(IRecordReceiver.Payment memory paid) private view returns (bool) {
        return _receiver.depositorOf(paid.requestId) == address(0);
    }

    function _balanceOf(address currency, address account) private view returns (uint256) {
        return currency == address(0) ? account.balance : _token.balanceOf(account);
    }
}
