// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PlainToken} from "../../../../contracts/mocks/PlainToken.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {Order} from "../../../../contracts/records/Order.sol";
import {OrderFixture} from "./OrderFixture.sol";

/// @title OrderReceiverTest
/// @notice A deposit needs the solver's signature over the exact payment, once; the receiver keeps nothing.
contract OrderReceiverTest is OrderFixture {
    PlainToken private _token;

    function setUp() public {
        _deployOrders();
        _token = new PlainToken();
    }

    function testFuzz_SignedNativeOrderIsForwardedOnceAndWhole(uint256 seed, uint256 amountSeed) public {
        uint256 amount = _bound(amountSeed, 1, type(uint64).max);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), amount);
        bytes32 orderId = _plainHash(order);
        bytes memory signature = _signOrder(ORDER_KEY, orderId);
        CHEATS.expectEmit(address(_orders));
        emit IOrderReceiver.OrderDeposited(orderId, address(this), index, address(0), amount);
        _deposit(order, index, signature, amount);

        _assertEq(address(_depository).balance, amount);
        _assertEq(address(_orders).balance, 0);
        _assertEq(_orders.depositorOf(orderId) != address(0), true);

        bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
        _assertRefused(order, index, signature, amount, abi.encodeWithSelector(selector, orderId));
    }

    function testFuzz_SignedTokenOrderIsForwardedWhole(uint256 seed, uint256 amountSeed) public {
        uint256 amount = _bound(amountSeed, 1, type(uint256).max);
        (Order.Data memory order, uint256 index) = _payable(seed, address(_token), amount);
        bytes32 orderId = _plainHash(order);
        bytes memory signature = _signOrder(ORDER_KEY, orderId);
        _token.mint(address(this), amount);
        _token.approve(address(_orders), amount);

        _orders.depositErc20(address(_token), amount, order, index, signature);

        _assertEq(_token.balanceOf(address(_depository)), amount);
        _assertEq(_token.balanceOf(address(_orders)), 0);
        _assertEq(_token.allowance(address(_orders), address(_depository)), 0);
        _assertEq(_orders.depositorOf(orderId) != address(0), true);
    }

    function testFuzz_RevertWhen_AnotherAmountIsSent(uint256 seed, uint256 amount, uint256 valueSeed) public {
        uint256 value = _bound(valueSeed, 1, type(uint128).max);
        VM.assume(value != amount);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), amount);
        bytes4 selector = IOrderReceiver.InputAmountMismatch.selector;
        _assertSignedRefused(order, index, value, abi.encodeWithSelector(selector, value, amount));
    }

    function testFuzz_RevertWhen_AnotherKeySigned(uint256 seed, uint256 keySeed) public {
        uint256 key = _boundKey(keySeed);
        VM.assume(key != ORDER_KEY);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        bytes memory signature = _signOrder(key, _plainHash(order));
        bytes4 selector = IOrderReceiver.OrderNotSignedBySolver.selector;
        bytes memory reason = abi.encodeWithSelector(selector, VM.addr(key), ORDER_SOLVER);
        _assertRefused(order, index, signature, 1 ether, reason);
    }

    function testFuzz_RevertWhen_AnotherOrderWasSigned(uint256 seed, uint256 otherSeed) public {
        VM.assume(seed != otherSeed);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        (Order.Data memory other, ) = _payable(otherSeed, address(0), 1 ether);
        bytes memory signature = _signOrder(ORDER_KEY, _plainHash(other));
        VM.deal(address(this), 1 ether);

        (bool success, ) = address(_orders).call{value: 1 ether}(
            abi.encodeCall(IOrderReceiver.deposit, (order, index, signature))
        );

        _assertEq(success, false);
        _assertEq(_orders.depositorOf(_plainHash(order)) != address(0), false);
        _assertEq(address(_depository).balance, 0);
    }

    function testFuzz_RevertWhen_CurrencyIsNotExactlyThePaidOne(uint256 seed, bytes memory currency) public {
        VM.assume(keccak256(currency) != keccak256(new bytes(20)));
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        order.inputs[index].payment.currency = currency;
        bytes4 selector = IOrderReceiver.InputCurrencyMismatch.selector;
        _assertSignedRefused(order, index, 1 ether, abi.encodeWithSelector(selector, currency, address(0)));
    }

    function testFuzz_RevertWhen_ChainIsNotExactlyThisOne(uint256 seed, string memory name) public {
        VM.assume(keccak256(bytes(name)) != keccak256("base"));
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        order.inputs[index].payment.chainId = name;
        bytes4 selector = IOrderReceiver.InputChainMismatch.selector;
        bytes memory reason = abi.encodeWithSelector(selector, name, _orders.chainNameHash());
        _assertSignedRefused(order, index, 1 ether, reason);
    }

    function testFuzz_AuditA3_RevertGiven_TheChainSplitAndHasAnotherId(uint256 seed, uint64 forkId) public {
        VM.assume(forkId != block.chainid && forkId != 0);
        // Not `block.chainid`, which the optimizer may read after the change.
        uint256 home = _orders.thisChainId();
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        VM.chainId(forkId);
        bytes4 selector = IOrderReceiver.ChainIdMismatch.selector;
        _assertSignedRefused(order, index, 1 ether, abi.encodeWithSelector(selector, forkId, home));
    }

    function test_AuditA3_RevertWhen_DeployedOnAnotherChainUnderTheSameArguments() public {
        // Not `block.chainid`, which the optimizer may read after the change.
        uint256 home = _orders.thisChainId();
        VM.chainId(home + 1);
        bytes4 selector = IOrderReceiver.ChainIdMismatch.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, home + 1, home));
        new OrderReceiver(ORDER_SOLVER, address(_depository), "base", home, address(this));
    }

    /// @notice An assumption of `IOrderReceiver`: of several inputs, the first payer chooses the one paid here.
    function test_AuditA11_AStrangerThatPaysTheInputOfOneUnitStopsTheOther() public {
        (Order.Data memory order, ) = _payable(0, address(0), 1);
        Order.Input memory input = order.inputs[0];
        order.inputs = new Order.Input[](2);
        order.inputs[0] = input;
        order.inputs[1].payment = Order.InputPayment("base", abi.encodePacked(address(0)), 1 ether, 1);
        bytes32 orderId = _plainHash(order);
        bytes memory signature = _signOrder(ORDER_KEY, orderId);
        _deposit(order, 0, signature, 1);
        bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
        _assertRefused(order, 1, signature, 1 ether, abi.encodeWithSelector(selector, orderId));
    }

    function _assertSignedRefused(
        Order.Data memory order,
        uint256 index,
        uint256 value,
        bytes memory reason
    ) private {
        _assertRefused(order, index, _signed(order), value, reason);
    }

    function _assertRefused(
        Order.Data memory order,
        uint256 index,
        bytes memory signature,
        uint256 value,
        bytes memory reason
    ) private {
        uint256 before = address(_depository).balance;
        VM.deal(address(this), value);
        VM.expectRevert(reason);
        _orders.deposit{value: value}(order, index, signature);
        _assertEq(address(_depository).balance, before);
    }

    function _deposit(Order.Data memory order, uint256 index, bytes memory signature, uint256 value) private {
        VM.deal(address(this), value);
        _orders.deposit{value: value}(order, index, signature);
    }
}
