// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {PlainToken} from "../../../../contracts/mocks/PlainToken.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {Order} from "../../../../contracts/records/Order.sol";
import {RelayDepository} from "../../../../contracts/service/RelayDepository.sol";
import {OrderMaking} from "../../support/OrderMaking.sol";

/// @title OrderHandler
/// @notice What anybody may do to an order receiver, in any order: pay an input as signed, pay with something spoilt, pay an
/// order again by the same or another input, and leave money lying there. It keeps its own books.
/// @dev Named as a test although it holds none: the runner calls only contracts of such files.
contract OrderHandler is OrderMaking {
    /// @notice How often an order was accepted.
    mapping(bytes32 orderId => uint256 times) public accepted;

    /// @notice What was accepted, by currency.
    mapping(address currency => uint256 amount) public acceptedSum;

    /// @notice What was left lying at the receiver, by currency.
    mapping(address currency => uint256 amount) public stray;

    /// @notice How many payments were accepted.
    uint256 public acceptedCount;

    /// @notice How many payments were tried.
    uint256 public triedCount;

    /// @notice Whether anything went through that must not, or was refused that must go through.
    bool public isBroken;

    /// @notice The receiver in question.
    OrderReceiver public immutable receiver;

    /// @notice Whom it pays.
    RelayDepository public immutable depository;

    /// @notice The token in question.
    PlainToken public immutable token;

    uint256 private constant SOLVER_KEY = uint256(keccak256("solver"));
    uint256 private constant FUNDS = type(uint128).max;

    /// @dev Few orders, so that they meet each other often.
    uint256 private constant ORDERS = 12;

    bytes[ORDERS] private _orders;
    bytes32[ORDERS] private _ids;

    constructor() {
        depository = new RelayDepository(address(this), address(this));
        receiver = new OrderReceiver(
            VM.addr(SOLVER_KEY),
            address(depository),
            "base",
            0,
            address(this),
            false
        );
        token = new PlainToken();
        token.mint(address(this), FUNDS);
        token.approve(address(receiver), type(uint256).max);
        VM.deal(address(this), FUNDS);
        for (uint256 which; which < ORDERS; ++which) {
            Order.Data memory order = _made(which);
            _orders[which] = abi.encode(order);
            _ids[which] = _plainHash(order);
        }
    }

    /// @notice Pays an input as signed, which is refused only for an order that was paid by that input or another.
    /// @param which the order
    /// @param index the input: the first is native, the second a token
    function payAsSigned(uint256 which, uint256 index) external {
        Order.Data memory order = _orderOf(which);
        bytes32 orderId = idOf(which);
        bool isReplay = accepted[orderId] != 0;
        index = index % 2;
        uint256 amount = order.inputs[index].payment.amount;
        bool isAccepted = _accepts(order, index, amount, _signOrder(SOLVER_KEY, orderId));
        if (isAccepted == isReplay) isBroken = true;
        if (isAccepted) accepted[orderId] += 1;
    }

    /// @notice Pays with one thing changed, behind the solver's back or signed and not payable, which is refused.
    /// @param which the order
    /// @param index the input
    /// @param what which thing
    function paySpoilt(uint256 which, uint256 index, uint256 what) external {
        Order.Data memory order = _orderOf(which);
        bytes memory signature = _signOrder(SOLVER_KEY, idOf(which));
        index = index % 2;
        uint256 amount = order.inputs[index].payment.amount;
        what = what % 8;
        if (what == 0) amount += 1;
        else if (what == 1) amount -= 1;
        else if (what == 2) order.salt ^= 1;
        else if (what == 3) order.output.extraData = abi.encodePacked(order.output.extraData, uint8(0));
        else if (what == 4) signature = _signOrder(SOLVER_KEY ^ 1, idOf(which));
        else if (what == 5) signature = _signOrder(SOLVER_KEY, idOf((which % ORDERS) + 1));
        else {
            if (what == 6) order.output.deadline = uint32(block.timestamp - 1);
            else order.inputs[index].payment.chainId = "optimism";
            signature = _signOrder(SOLVER_KEY, _plainHash(order));
        }
        if (_accepts(order, index, amount, signature)) isBroken = true;
    }

    /// @notice Money arrives at the receiver outside any payment.
    /// @param isNative whether it is native
    /// @param amount how much
    function drop(bool isNative, uint64 amount) external {
        if (isNative) VM.deal(address(receiver), address(receiver).balance + amount);
        else token.mint(address(receiver), amount);
        stray[isNative ? address(0) : address(token)] += amount;
    }

    /// @notice What everybody has of a currency.
    /// @param currency which
    /// @return paid what the depository has
    /// @return spent what the payer has less than at first
    /// @return kept what the receiver has
    function holdings(address currency) external view returns (uint256 paid, uint256 spent, uint256 kept) {
        paid = _balanceOf(currency, address(depository));
        spent = FUNDS - _balanceOf(currency, address(this));
        kept = _balanceOf(currency, address(receiver));
    }

    /// @notice The id of one of the orders.
    /// @param which any number
    /// @return orderId its id
    function idOf(uint256 which) public view returns (bytes32 orderId) {
        return _ids[which % ORDERS];
    }

    function _orderOf(uint256 which) private view returns (Order.Data memory) {
        return abi.decode(_orders[which % ORDERS], (Order.Data));
    }

    /// @dev One order with two inputs that are both payable here, one of each kind of currency.
    function _made(uint256 which) private view returns (Order.Data memory order) {
        uint256 seed = uint256(keccak256(abi.encode("order", which)));
        order = _order(seed);
        order.solver = VM.addr(SOLVER_KEY);
        order.output.deadline = type(uint32).max;
        order.inputs = new Order.Input[](2);
        for (uint256 i; i < 2; ++i) {
            order.inputs[i].payment = Order.InputPayment({
                chainId: "base",
                currency: abi.encodePacked(i == 0 ? address(0) : address(token)),
                amount: _bound(seed >> (i * 64), 2, type(uint64).max),
                weight: 1
            });
        }
    }

    function _accepts(
        Order.Data memory order,
        uint256 index,
        uint256 amount,
        bytes memory signature
    ) private returns (bool success) {
        triedCount += 1;
        bytes32[][] memory none = new bytes32[][](0);
        bytes memory data =
            index == 0
                ? abi.encodeCall(IOrderReceiver.deposit, (order, index, none, signature))
                : abi.encodeCall(
                    IOrderReceiver.depositErc20,
                    (address(token), amount, order, index, none, signature)
                );
        (success, ) = address(receiver).call{value: index == 0 ? amount : 0}(data);
        if (!success) return false;
        acceptedCount += 1;
        acceptedSum[index == 0 ? address(0) : address(token)] += amount;
    }

    function _balanceOf(address currency, address account) private view returns (uint256) {
        return currency == address(0) ? account.balance : token.balanceOf(account);
    }
}
