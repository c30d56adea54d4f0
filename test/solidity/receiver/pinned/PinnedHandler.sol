// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalToken} from "../../../../contracts/service/currencies/LocalToken.sol";
import {PaymentBook, SumBook} from "../PaymentBook.sol";
import {PermitsFixture} from "./PermitsFixture.sol";

/// @title PinnedHandler
/// @notice Payments to two pinned receivers in any order: as signed, altered, paid again another way; and stray money.
abstract contract PinnedHandler is PermitsFixture, SumBook {
    /// @notice Few ids, so that runs repeat them.
    uint256 public constant IDS = 24;

    mapping(address receiver => mapping(bytes32 requestId => uint256 times)) private _accepted;
    Payment[] private _paid;

    constructor() {
        _deployPermits();
    }

    /// @notice Pays as solver and owner signed; refused only if the request was paid.
    function payAsSigned(Draw memory draw, uint256 way) external {
        (Payment memory payment, Way drawn) = _drawn(draw, way);
        bool isReplay = _accepted[address(payment.receiver)][payment.requestId] != 0;
        _require(_accepts(payment, drawn) != isReplay);
    }

    /// @notice Pays with one term that the solver did not sign, but the owner did; refused.
    function payAltered(Draw memory draw, uint256 way, uint256 term) external {
        (Payment memory payment, Way drawn) = _drawn(draw, way);
        term = term % 6;
        if (term == 0) payment.amount += 1;
        else if (term == 1) payment.amount -= 1;
        else if (term == 2) payment.destinationUser ^= bytes32(uint256(1));
        else if (term == 3) payment.destinationChainId ^= 1;
        else if (term == 4) payment.requestId = bytes32((uint256(payment.requestId) + 1) % IDS);
        else _sign(OWNER_KEY, payment);
        _require(!_accepts(payment, drawn));
    }

    /// @notice Makes an accepted payment again, any way its currency allows; refused.
    function replay(uint256 which, uint256 way) external {
        if (_paid.length == 0) return;
        Payment memory payment = _paid[which % _paid.length];
        _require(!_accepts(payment, _wayFor(payment.currency, way)));
    }

    /// @notice Sends money to a receiver outside any payment.
    function drop(uint256 which, uint64 amount) external {
        address currency = currencies()[which % 3];
        if (currency == address(0)) VM.deal(address(_byReceiver), address(_byReceiver).balance + amount);
        else LocalToken(currency).mint(address(_byReceiver), amount);
        stray[currency] += amount;
    }

    /// @inheritdoc PaymentBook
    function requests() external view override returns (Request[] memory all) {
        all = new Request[](2 * IDS);
        for (uint256 i; i < all.length; ++i) {
            address receiver = address(i < IDS ? _byReceiver : _byCaller);
            bytes32 id = bytes32(i % IDS);
            bool isConsumed = (i < IDS ? _byReceiver : _byCaller).depositorOf(id) != address(0);
            all[i] = Request({timesAccepted: _accepted[receiver][id], isConsumed: isConsumed});
        }
    }

    /// @inheritdoc SumBook
    function holdings(address currency) external view override returns (Holdings memory) {
        uint256 kept = _balanceOf(currency, address(_byReceiver)) + _balanceOf(currency, address(_byCaller));
        return
            Holdings({
                paid: _balanceOf(currency, currency == address(0) ? NATIVE_PAYEE : SOLVER),
                spent: FUNDS - _balanceOf(currency, OWNER),
                kept: kept
            });
    }

    /// @inheritdoc SumBook
    function currencies() public view override returns (address[] memory all) {
        all = new address[](3);
        (all[1], all[2]) = (address(_token), address(_auth));
    }

    /// @dev Only a way that the currency supports, so that no payment is refused for that reason.
    function _wayFor(address currency, uint256 way) internal view virtual returns (Way) {
        if (currency == address(0)) return way % 4 < 2 ? Way.Plain : Way.Batch;
        Way signed = currency == address(_token) ? Way.Permit : Way.Authorization;
        return [Way.Plain, signed, Way.Permit2, Way.Batch][(way >> 1) % 4];
    }

    function _drawn(Draw memory draw, uint256 way) private view returns (Payment memory payment, Way drawn) {
        address currency = draw.isNative ? address(0) : currencies()[1 + (way % 2)];
        draw.amount = _bound(draw.amount, 2, type(uint64).max);
        draw.requestId = bytes32(uint256(draw.requestId) % IDS);
        return (_signedPayment(draw, OWNER, currency), _wayFor(currency, way));
    }

    function _accepts(Payment memory payment, Way way) private returns (bool success) {
        (success, ) = _attempt(payment, _callOf(payment, way));
        if (!success) return false;
        _noteAccepted(payment.currency, payment.amount);
        _accepted[address(payment.receiver)][payment.requestId] += 1;
        _paid.push(payment);
    }
}
