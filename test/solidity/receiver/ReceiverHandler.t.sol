// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReceiverFixture} from "../support/ReceiverFixture.sol";

/// @title ReceiverHandler
/// @notice What anybody may do to two receivers, in any order: pay as signed, replay, pay with something spoilt.
/// It keeps its own books of what was accepted.
/// @dev Named as a test although it holds none: the runner calls only contracts of such files.
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
                    payment.receiver.deposit,
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
