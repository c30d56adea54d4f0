// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PinnedReceiver} from "../../../contracts/receiver/PinnedReceiver.sol";
import {ReceiverFixture} from "../support/ReceiverFixture.sol";
import {Test} from "../support/Test.sol";

/// @title ReceiverHandler
/// @notice What anybody may do to two receivers, in any order: pay as signed, replay, pay with something spoilt.
/// It keeps its own books of what was accepted.
contract ReceiverHandler is ReceiverFixture {
    /// @notice How often a request was accepted, by receiver.
    mapping(address receiver => mapping(bytes32 requestId => uint256 times)) public accepted;

    /// @notice What the receivers accepted in native currency.
    uint256 public acceptedNative;

    /// @notice What the receivers accepted in tokens.
    uint256 public acceptedTokens;

    /// @notice How many payments were accepted.
    uint256 public acceptedCount;

    /// @dev Few ids, so that they meet each other often.
    uint256 private constant IDS = 24;

    bytes32[] private _tried;
    Payment[] private _accepted;

    constructor() {
        _deployReceivers();
    }

    /// @notice Pays as the solver signed.
    /// @param draw any payment
    function payAsSigned(Draw memory draw) external {
        _attempt(_drawn(draw));
    }

    /// @notice Pays with one thing changed behind the solver's back.
    /// @param draw any payment
    /// @param what which thing
    function paySpoilt(Draw memory draw, uint256 what) external {
        Payment memory payment = _drawn(draw);
        what = what % 5;
        if (what == 0) payment.amount += 1;
        else if (what == 1) payment.destinationUser ^= bytes32(uint256(1));
        else if (what == 2) payment.destinationChainId ^= 1;
        else if (what == 3) payment.requestId = bytes32((uint256(payment.requestId) + 1) % IDS);
        else payment.signature = _sign(SOLVER_KEY ^ 1, _recordOf(payment));
        _attempt(payment);
    }

    /// @notice Makes an accepted payment again, as it was.
    /// @param which which of them
    function replay(uint256 which) external {
        if (_accepted.length == 0) return;
        Payment memory payment = _accepted[which % _accepted.length];
        _fund(payment);
        _attempt(payment);
    }

    /// @notice The ids that were tried, repetitions included.
    /// @return ids all of them
    function tried() external view returns (bytes32[] memory ids) {
        return _tried;
    }

    /// @notice Who is paid, and what the receivers have, in both currencies.
    /// @return nativePaid what the native payee has
    /// @return tokensPaid what the solver has in tokens
    /// @return kept what the receivers have of both, which must be nothing
    function holdings() external view returns (uint256 nativePaid, uint256 tokensPaid, uint256 kept) {
        nativePaid = NATIVE_PAYEE.balance;
        tokensPaid = _token.balanceOf(SOLVER);
        kept = address(_byCaller).balance + address(_byReceiver).balance;
        kept += _token.balanceOf(address(_byCaller)) + _token.balanceOf(address(_byReceiver));
    }

    /// @notice The receivers that are paid at.
    /// @return byReceiver the one bound to itself
    /// @return byCaller the one bound to its callers
    function receivers() external view returns (address byReceiver, address byCaller) {
        return (address(_byReceiver), address(_byCaller));
    }

    function _drawn(Draw memory draw) private returns (Payment memory) {
        draw.requestId = bytes32(uint256(draw.requestId) % IDS);
        draw.amount = _bound(draw.amount, 1, type(uint64).max);
        return _validPayment(draw);
    }

    function _attempt(Payment memory payment) private {
        _tried.push(payment.requestId);
        if (!_succeeds(payment)) return;
        accepted[address(payment.receiver)][payment.requestId] += 1;
        acceptedCount += 1;
        if (payment.currency == address(0)) acceptedNative += payment.amount;
        else acceptedTokens += payment.amount;
        _accepted.push(payment);
    }

    function _succeeds(Payment memory payment) private returns (bool success) {
        bytes memory call =
            payment.currency == address(0)
                ? abi.encodeCall(
                    payment.receiver.depositNative,
                    (
                        payment.requestId,
                        payment.destinationChainId,
                        payment.destinationUser,
                        payment.signature
                    )
                )
                : abi.encodeCall(
                    payment.receiver.depositErc20,
                    (
                        payment.currency,
                        payment.amount,
                        payment.requestId,
                        payment.destinationChainId,
                        payment.destinationUser,
                        payment.signature
                    )
                );
        VM.prank(payment.caller);
        (success, ) = address(payment.receiver).call{
            value: payment.currency == address(0) ? payment.amount : 0
        }(call);
    }
}

/// @title PinnedReceiverInvariantTest
/// @notice What holds after any sequence of payments, honest and not.
contract PinnedReceiverInvariantTest is Test {
    ReceiverHandler private _handler;

    function setUp() public {
        _handler = new ReceiverHandler();
    }

    /// @notice Tells the runner whom to call.
    /// @return targets the handler alone
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_RequestIsConsumedAtMostOnce() public view {
        (address byReceiver, address byCaller) = _handler.receivers();
        bytes32[] memory ids = _handler.tried();
        for (uint256 i; i < ids.length; ++i) {
            _assertConsumedAsAccepted(byReceiver, ids[i]);
            _assertConsumedAsAccepted(byCaller, ids[i]);
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_ReceiversKeepNothingAndPayeesGetExactlyWhatWasAccepted() public view {
        (uint256 nativePaid, uint256 tokensPaid, uint256 kept) = _handler.holdings();
        _assertEq(kept, 0);
        _assertEq(nativePaid, _handler.acceptedNative());
        _assertEq(tokensPaid, _handler.acceptedTokens());
    }

    /// @notice Runs at the end of every sequence: one in which nothing was accepted, or nothing refused, would prove
    /// nothing.
    function afterInvariant() public view {
        _assertLe(1, _handler.acceptedCount());
        _assertLe(_handler.acceptedCount() + 1, _handler.tried().length);
    }

    function _assertConsumedAsAccepted(address receiver, bytes32 id) private view {
        uint256 times = _handler.accepted(receiver, id);
        _assertLe(times, 1);
        _assertEq(PinnedReceiver(receiver).isConsumed(id), times == 1);
    }
}
