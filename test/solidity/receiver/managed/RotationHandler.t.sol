// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedFixture} from "./ManagedFixture.sol";

/// @title RotationHandler
/// @notice Solvers come and go while anybody pays at a managed receiver, by both versions and in both kinds of currency, signed
/// by any of them or by none. It keeps its own books of who is active.
/// @dev Named as a test although it holds none: the runner calls only contracts of such files.
contract RotationHandler is ManagedFixture {
    /// @notice When a solver is active: from the first second up to and without the second.
    struct Window {
        uint256 from;
        uint256 until;
    }

    /// @notice How often a request was accepted.
    mapping(bytes32 requestId => uint256 times) public accepted;

    /// @notice What was accepted in native currency, by the payee of its signer.
    mapping(address payee => uint256 amount) public acceptedNative;

    /// @notice What was accepted in tokens, by its signer.
    mapping(address solver => uint256 amount) public acceptedTokens;

    /// @notice How many payments were accepted.
    uint256 public acceptedCount;

    /// @notice How many payments were tried.
    uint256 public triedCount;

    /// @notice Whether anything went through that must not, or was refused that must go through.
    bool public isBroken;

    /// @dev The last of them is never a solver.
    uint256 private constant SIGNERS = 4;
    uint256 private constant IDS = 24;
    uint256 private constant NEVER = type(uint40).max;

    Window[SIGNERS] private _windows;

    constructor() {
        _deployManaged();
        _windows[0] = Window({from: NOW, until: NEVER});
    }

    /// @notice Announces a solver, or one that has been retired anew.
    /// @param which which of them
    /// @param delay seconds beyond the shortest notice
    function add(uint256 which, uint16 delay) external {
        which = which % (SIGNERS - 1);
        uint256 from = block.timestamp + ACTIVATION_DELAY + delay;
        bool isFree = _windows[which].until <= block.timestamp;
        try _byReceiver.addSolver(_solver(which), _payeeOf(which), uint40(from), false) {
            if (!isFree) isBroken = true;
            _windows[which] = Window({from: from, until: NEVER});
        } catch {
            if (isFree) isBroken = true;
        }
    }

    /// @notice Retires a solver, at once or later.
    /// @param which which of them
    /// @param delay seconds from now
    function retire(uint256 which, uint32 delay) external {
        which = which % (SIGNERS - 1);
        uint256 until = block.timestamp + (delay % 2 days);
        bool isPossible = _windows[which].until != 0 && until <= _windows[which].until;
        try _byReceiver.retireSolver(_solver(which), uint40(until)) {
            if (!isPossible) isBroken = true;
            _windows[which].until = until;
        } catch {
            if (isPossible) isBroken = true;
        }
    }

    /// @notice Lets time pass.
    /// @param time seconds
    function wait(uint32 time) external {
        CLOCK.warp(block.timestamp + (time % 2 days));
    }

    /// @notice Pays what any of the signers signed, which is accepted exactly when that is active and the request is not paid.
    /// @param draw any payment
    /// @param which who signed
    function pay(Draw memory draw, uint256 which) external {
        which = which % SIGNERS;
        Deposit memory deposit = _drawn(draw, which);
        bool isActive = _windows[which].from <= block.timestamp && block.timestamp < _windows[which].until;
        bool isDue = isActive && accepted[deposit.record.requestId] == 0;
        if (_accepts(deposit, which) != isDue) isBroken = true;
    }

    /// @notice Pays one unit more or less than was signed, which is refused.
    /// @param draw any payment
    /// @param which who signed
    /// @param isMore whether it is one more
    function payAnotherAmount(Draw memory draw, uint256 which, bool isMore) external {
        Deposit memory deposit = _drawn(draw, which % SIGNERS);
        deposit.amount = isMore ? deposit.amount + 1 : deposit.amount - 1;
        if (_accepts(deposit, which % SIGNERS)) isBroken = true;
    }

    /// @notice What came out against what was accepted, for one signer, and what stayed.
    /// @param which which of them
    /// @return native what its payee has, and what it should
    /// @return tokens what it has, and what it should
    /// @return kept what the receiver has of both, which must be nothing
    function holdings(
        uint256 which
    ) external view returns (uint256[2] memory native, uint256[2] memory tokens, uint256 kept) {
        (address payee, address solver) = (_payeeOf(which % SIGNERS), _solver(which % SIGNERS));
        native = [payee.balance, acceptedNative[payee]];
        tokens = [_token.balanceOf(solver), acceptedTokens[solver]];
        kept = address(_byReceiver).balance + _token.balanceOf(address(_byReceiver));
    }

    /// @notice One of the requests, and whether it is consumed.
    /// @param which any number
    /// @return times how often it was accepted
    /// @return isConsumed what the receiver says
    function requestOf(uint256 which) external view returns (uint256 times, bool isConsumed) {
        return (accepted[_id(which)], _byReceiver.isConsumed(_id(which)));
    }

    function _drawn(Draw memory draw, uint256 which) private returns (Deposit memory deposit) {
        draw.requestId = _id(uint256(draw.requestId));
        draw.bindsCaller = false;
        // Inside the limits even with one unit more or less.
        draw.amount = _bound(draw.amount, uint256(MINIMUM) + 1, uint256(MAXIMUM) - 1);
        deposit = _validDeposit(draw);
        _signSolver(_key(which), deposit);
    }

    function _accepts(Deposit memory deposit, uint256 which) private returns (bool success) {
        triedCount += 1;
        (success, ) = _attempt(deposit);
        if (!success) return false;
        acceptedCount += 1;
        accepted[deposit.record.requestId] += 1;
        if (deposit.currency == address(0)) acceptedNative[_payeeOf(which)] += deposit.amount;
        else acceptedTokens[_solver(which)] += deposit.amount;
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

    function _id(uint256 which) private pure returns (bytes32) {
        return keccak256(abi.encode("rotation", which % IDS));
    }
}
