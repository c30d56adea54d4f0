// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedBook} from "./ManagedBook.sol";

/// @title RotationHandler
/// @notice Solvers come and go while payments arrive at a managed receiver, in both kinds of currency, each
/// signed by a solver or by a key that never becomes one.
abstract contract RotationHandler is ManagedBook {
    /// @notice A solver's active time: `from` is its first second, `until` the first second after it.
    struct Window {
        uint256 from;
        uint256 until;
    }

    /// @notice Balances of a signer, found and expected: its payee's in native currency and its own in tokens.
    struct Received {
        uint256 native;
        uint256 expectedNative;
        uint256 tokens;
        uint256 expectedTokens;
        uint256 kept;
    }

    /// @notice The last signer never becomes a solver.
    uint256 public constant SIGNERS = 4;
    uint256 private constant NEVER = type(uint40).max;

    mapping(address account => uint256 amount) private _expectedNative;
    mapping(address account => uint256 amount) private _expectedTokens;
    Window[SIGNERS] private _windows;

    constructor() {
        _windows[0] = Window({from: NOW, until: NEVER});
    }

    /// @notice Announces a solver; refused only until its last retirement.
    function add(uint256 which, uint16 delay) external {
        which = which % (SIGNERS - 1);
        uint256 from = block.timestamp + ACTIVATION_DELAY + delay;
        bool isFree = _windows[which].until <= block.timestamp;
        try _byReceiver.addSolver(_solver(which), _payeeOf(which), uint40(from), false) {
            _require(isFree);
            _windows[which] = Window({from: from, until: NEVER});
        } catch {
            _require(!isFree);
        }
    }

    /// @notice Retires a solver, now or later; refused only if never announced, or to put its retirement off.
    function retire(uint256 which, uint32 delay) external {
        which = which % (SIGNERS - 1);
        uint256 until = block.timestamp + (delay % 2 days);
        bool isPossible = _windows[which].until != 0 && until <= _windows[which].until;
        try _byReceiver.retireSolver(_solver(which), uint40(until)) {
            _require(isPossible);
            _windows[which].until = until;
        } catch {
            _require(!isPossible);
        }
    }

    /// @notice Pays as one of the signers signed; accepted exactly if it is active and the request is not paid.
    function pay(Draw memory draw, uint256 which) external {
        which = which % SIGNERS;
        Deposit memory deposit = _drawn(draw, which);
        bool isActive = _windows[which].from <= block.timestamp && block.timestamp < _windows[which].until;
        bool isDue = isActive && _accepted[deposit.record.requestId] == 0;
        _require(_accepts(deposit, which) == isDue);
    }

    /// @notice Pays one unit more or less than was signed; refused.
    function payAnotherAmount(Draw memory draw, uint256 which, bool isMore) external {
        Deposit memory deposit = _drawn(draw, which % SIGNERS);
        deposit.amount = isMore ? deposit.amount + 1 : deposit.amount - 1;
        _require(!_accepts(deposit, which % SIGNERS));
    }

    function received(uint256 which) external view returns (Received memory) {
        (address payee, address solver) = (_payeeOf(which), _solver(which));
        return
            Received({
                native: payee.balance,
                expectedNative: _expectedNative[payee],
                tokens: _token.balanceOf(solver),
                expectedTokens: _expectedTokens[solver],
                kept: address(_byReceiver).balance + _token.balanceOf(address(_byReceiver))
            });
    }

    function _drawn(Draw memory draw, uint256 which) private returns (Deposit memory deposit) {
        draw.requestId = idOf(uint256(draw.requestId));
        draw.bindsCaller = false;
        // Inside the limits even with one unit more or less.
        draw.amount = _bound(draw.amount, uint256(MINIMUM) + 1, uint256(MAXIMUM) - 1);
        deposit = _validDeposit(draw);
        _signSolver(_key(which), deposit);
    }

    function _accepts(Deposit memory deposit, uint256 which) private returns (bool success) {
        (success, ) = _attempt(deposit);
        if (!success) return false;
        acceptedCount += 1;
        _accepted[deposit.record.requestId] += 1;
        if (deposit.currency == address(0)) _expectedNative[_payeeOf(which)] += deposit.amount;
        else _expectedTokens[_solver(which)] += deposit.amount;
    }

    function _solver(uint256 which) private pure returns (address) {
        return VM.addr(_key(which));
    }

    function _key(uint256 which) private pure returns (uint256) {
        return which == 0 ? SOLVER_KEY : uint256(keccak256(abi.encode("signer", which)));
    }

    function _payeeOf(uint256 which) private view returns (address) {
        return which == 0 ? PAYEE : address(uint160(uint256(keccak256(abi.encode("payee", which)))));
    }
}
