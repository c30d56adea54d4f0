// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {IManagedReceiver} from "../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IRecordReceiver} from "../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundForwarder} from "../../contracts/interfaces/receiver/IRefundForwarder.sol";
import {IRefundReceiver} from "../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {IRefundLedger} from "../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {ManagedReceiver} from "../../contracts/receiver/ManagedReceiver.sol";
import {PinnedReceiver} from "../../contracts/receiver/PinnedReceiver.sol";
import {Proof} from "./Proof.sol";

/// @title ExactToken
/// @notice A token that moves exactly what is asked.
contract ExactToken {
    mapping(address account => uint256) public balanceOf;

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        return _move(from, to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// @title RefundProofs
/// @notice From any state in which the credits are covered, each call that moves refunds leaves them covered, so any number of calls
/// does; only the depositor lowers a credit. A sweep sends what is there, at most, to the refund payee.
contract RefundProofs is Proof {
    ManagedReceiver private _ledger;
    PinnedReceiver private _pinned;
    ExactToken private _token;

    function setUp() external {
        IManagedReceiver.Configuration memory configuration;
        configuration.owner = OWNER;
        _ledger = ManagedReceiver(payable(_anyStateOf(address(new ManagedReceiver(configuration)))));
        _pinned = new PinnedReceiver(SOLVER, PAYEE, IRecordReceiver.Binding.Caller, OWNER);
        _token = ExactToken(_anyStateOf(address(new ExactToken())));
    }

    /// @custom:mutant contracts/receiver/policies/RefundLedger.sol: _credit(_refundedId(), NATIVE, msg.value) -> _credit(_refundedId(), NATIVE, msg.value + 1)
    function check_NativeRefundIsCovered(address caller, bytes32 id, uint256 amount) external {
        // Two functions of Ownable without arguments, whose storage Halmos cannot follow. They move no money.
        VM.assume(bytes4(id) != Ownable.requestOwnershipHandover.selector);
        VM.assume(bytes4(id) != Ownable.cancelOwnershipHandover.selector);
        _checkCall(caller, amount, abi.encode(id));
    }

    /// @custom:mutant contracts/receiver/policies/RefundLedger.sol: arrived < amount ? arrived : amount -> arrived + 1
    function check_TokenRefundIsCovered(address caller, bytes32 id, uint256 amount) external {
        _checkCall(caller, 0, abi.encodeCall(IRefundReceiver.refundErc20, (id, address(_token), amount)));
    }

    /// @custom:mutant contracts/receiver/policies/RefundLedger.sol: creditedTotal[currency] -= amount; -> // nothing
    function check_NativeWithdrawalIsCovered(address caller, bytes32 id, uint256 amount) external {
        _checkCall(caller, 0, abi.encodeCall(IRefundLedger.withdrawRefund, (id, address(0), PAYEE, amount)));
    }

    /// @custom:mutant contracts/receiver/policies/RefundLedger.sol: msg.sender != depositor -> msg.sender == address(0)
    function check_TokenWithdrawalIsCovered(address caller, bytes32 id, uint256 amount) external {
        _checkCall(
            caller,
            0,
            abi.encodeCall(IRefundLedger.withdrawRefund, (id, address(_token), PAYEE, amount))
        );
    }

    /// @custom:mutant contracts/receiver/policies/RefundLedger.sol: _checkUncredited(currency, amount);\n        _credit -> _credit
    function check_CreditIsCovered(address caller, bytes32 id, uint256 amount, bool isNative) external {
        address currency = isNative ? address(0) : address(_token);
        _checkCall(caller, 0, abi.encodeCall(IRefundLedger.creditRefund, (id, currency, amount)));
    }

    /// @custom:mutant contracts/receiver/policies/RefundLedger.sol: if (amount > available) -> if (amount > available + 1)
    function check_RescueLeavesTheCreditsCovered(address caller, uint256 amount, bool isNative) external {
        address currency = isNative ? address(0) : address(_token);
        _checkCall(caller, 0, abi.encodeCall(IRefundLedger.rescue, (currency, PAYEE, amount)));
    }

    /// @custom:mutant contracts/receiver/RefundForwarder.sol: TransferWithId.payNative(refundPayee, amount) -> TransferWithId.payNative(msg.sender, amount)
    function check_SweepSendsAtMostWhatIsThere(address caller, uint256 amount, bool isNative) external {
        address currency = isNative ? address(0) : address(_token);
        VM.deal(address(_pinned), SYMBOLS.createUint256("native money"));
        VM.assume(caller != OWNER);
        (uint256 held, uint256 before) = (
            _balanceOf(currency, address(_pinned)),
            _balanceOf(currency, OWNER)
        );
        if (!_callAs(caller, address(_pinned), 0, abi.encodeCall(IRefundForwarder.sweep, (amount, currency))))
            return;
        assert(amount != 0 && amount <= held);
        unchecked {
            assert(held - _balanceOf(currency, address(_pinned)) == amount);
            assert(_balanceOf(currency, OWNER) - before == amount);
        }
    }

    /// @dev A call from any covered state, by any account. Credits of any other account's id stay.
    function _checkCall(address caller, uint256 value, bytes memory data) private {
        VM.deal(address(_ledger), SYMBOLS.createUint256("native money"));
        VM.assume(_ledger.creditedTotal(address(0)) <= address(_ledger).balance);
        VM.assume(_ledger.creditedTotal(address(_token)) <= _token.balanceOf(address(_ledger)));
        bytes32 other = bytes32(SYMBOLS.createUint256("any id"));
        uint256 nativeCredit = _ledger.creditOf(other, address(0));
        uint256 tokenCredit = _ledger.creditOf(other, address(_token));
        if (!_callAs(caller, address(_ledger), value, data)) return;

        assert(_ledger.creditedTotal(address(0)) <= address(_ledger).balance);
        assert(_ledger.creditedTotal(address(_token)) <= _token.balanceOf(address(_ledger)));
        if (caller == _ledger.depositorOf(other)) return;
        assert(_ledger.creditOf(other, address(0)) >= nativeCredit);
        assert(_ledger.creditOf(other, address(_token)) >= tokenCredit);
    }

    function _balanceOf(address currency, address account) private view returns (uint256) {
        return currency == address(0) ? account.balance : _token.balanceOf(account);
    }
}
