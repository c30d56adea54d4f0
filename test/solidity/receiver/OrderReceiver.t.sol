// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {PlainToken} from "../../../contracts/mocks/PlainToken.sol";
import {OrderReceiver} from "../../../contracts/receiver/OrderReceiver.sol";
import {Order} from "../../../contracts/records/Order.sol";
import {RelayDepository} from "../../../contracts/service/RelayDepository.sol";
import {OrderMaking} from "../support/OrderMaking.sol";

/// @title OrderReceiverTest
/// @notice No deposit without the solver's signature over exactly what is paid, none twice, and nothing left behind.
contract OrderReceiverTest is OrderMaking {
    uint256 private constant SOLVER_KEY = uint256(keccak256("solver"));

    address private _solver;
    RelayDepository private _depository;
    OrderReceiver private _receiver;
    PlainToken private _token;

    function setUp() public {
        _solver = VM.addr(SOLVER_KEY);
        _depository = new RelayDepository(address(this), address(this));
        _receiver = new OrderReceiver(_solver, address(_depository), "base", 0, address(this), false);
        _token = new PlainToken();
    }

    function testFuzz_SignedNativeOrderIsHandedOnWhole(uint256 seed, uint256 amountSeed) public {
        uint256 amount = _bound(amountSeed, 1, type(uint128).max);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), amount);
        bytes32 orderId = _plainHash(order);
        VM.deal(address(this), amount);

        _receiver.deposit{value: amount}(order, index, _noProofs(), _signOrder(SOLVER_KEY, orderId));

        _assertEq(address(_depository).balance, amount);
        _assertEq(address(_receiver).balance, 0);
        _assertEq(_receiver.isConsumed(orderId), true);
    }

    function testFuzz_SignedTokenOrderIsHandedOnWhole(uint256 seed, uint256 amountSeed) public {
        uint256 amount = _bound(amountSeed, 1, type(uint256).max);
        (Order.Data memory order, uint256 index) = _payable(seed, address(_token), amount);
        bytes32 orderId = _plainHash(order);
        _token.mint(address(this), amount);
        _token.approve(address(_receiver), amount);

        _receiver.depositErc20(
            address(_token),
            amount,
            order,
            index,
            _noProofs(),
            _signOrder(SOLVER_KEY, orderId)
        );

        _assertEq(_token.balanceOf(address(_depository)), amount);
        _assertEq(_token.balanceOf(address(_receiver)), 0);
        _assertEq(_token.allowance(address(_receiver), address(_depository)), 0);
        _assertEq(_receiver.isConsumed(orderId), true);
    }

    function testFuzz_RevertWhen_AnotherAmountIsSent(uint256 seed, uint256 amount, uint256 valueSeed) public {
        uint256 value = _bound(valueSeed, 1, type(uint128).max);
        VM.assume(value != amount);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), amount);
        bytes memory signature = _signOrder(SOLVER_KEY, _plainHash(order));
        VM.deal(address(this), value);

        VM.expectRevert(abi.encodeWithSelector(IOrderReceiver.InputAmountMismatch.selector, value, amount));
        _receiver.deposit{value: value}(order, index, _noProofs(), signature);
    }

    function testFuzz_RevertWhen_AnotherKeySigned(uint256 seed, uint256 keySeed) public {
        uint256 key = _boundKey(keySeed);
        VM.assume(key != SOLVER_KEY);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        bytes memory signature = _signOrder(key, _plainHash(order));
        VM.deal(address(this), 1 ether);

        VM.expectRevert(
            abi.encodeWithSelector(IOrderReceiver.OrderNotSignedBySolver.selector, VM.addr(key), _solver)
        );
        _receiver.deposit{value: 1 ether}(order, index, _noProofs(), signature);
    }

    function testFuzz_RevertWhen_AnotherOrderWasSigned(uint256 seed, uint256 otherSeed) public {
        VM.assume(seed != otherSeed);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        (Order.Data memory other, ) = _payable(otherSeed, address(0), 1 ether);
        bytes memory signature = _signOrder(SOLVER_KEY, _plainHash(other));
        VM.deal(address(this), 1 ether);

        (bool success, ) = address(_receiver).call{value: 1 ether}(
            abi.encodeCall(IOrderReceiver.deposit, (order, index, _noProofs(), signature))
        );

        _assertEq(success, false);
        _assertEq(_receiver.isConsumed(_plainHash(order)), false);
        _assertEq(address(_depository).balance, 0);
    }

    function testFuzz_RevertWhen_OrderIsPaidAgain(uint256 seed, uint256 amountSeed) public {
        uint256 amount = _bound(amountSeed, 1, type(uint64).max);
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), amount);
        bytes32 orderId = _plainHash(order);
        bytes memory signature = _signOrder(SOLVER_KEY, orderId);
        VM.deal(address(this), 2 * amount);
        _receiver.deposit{value: amount}(order, index, _noProofs(), signature);

        VM.expectRevert(abi.encodeWithSelector(IOrderReceiver.OrderAlreadyConsumed.selector, orderId));
        _receiver.deposit{value: amount}(order, index, _noProofs(), signature);
        _assertEq(address(_depository).balance, amount);
    }

    function testFuzz_RevertWhen_CurrencyIsNotExactlyThePaidOne(uint256 seed, bytes memory currency) public {
        VM.assume(keccak256(currency) != keccak256(new bytes(20)));
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        order.inputs[index].payment.currency = currency;
        bytes memory signature = _signOrder(SOLVER_KEY, _plainHash(order));
        VM.deal(address(this), 1 ether);

        VM.expectRevert(
            abi.encodeWithSelector(IOrderReceiver.InputCurrencyMismatch.selector, currency, address(0))
        );
        _receiver.deposit{value: 1 ether}(order, index, _noProofs(), signature);
    }

    function testFuzz_RevertWhen_ChainIsNotExactlyThisOne(uint256 seed, string memory name) public {
        VM.assume(keccak256(bytes(name)) != keccak256("base"));
        (Order.Data memory order, uint256 index) = _payable(seed, address(0), 1 ether);
        order.inputs[index].payment.chainId = name;
        bytes memory signature = _signOrder(SOLVER_KEY, _plainHash(order));
        VM.deal(address(this), 1 ether);

        VM.expectRevert(
            abi.encodeWithSelector(
                IOrderReceiver.InputChainMismatch.selector,
                name,
                _receiver.chainNameHash()
            )
        );
        _receiver.deposit{value: 1 ether}(order, index, _noProofs(), signature);
    }

    /// @dev Any order, made payable here: one of its inputs is due now, on this chain, in `currency`.
    function _payable(
        uint256 seed,
        address currency,
        uint256 amount
    ) private view returns (Order.Data memory order, uint256 index) {
        order = _order(seed);
        order.solver = _solver;
        order.output.deadline = type(uint32).max;
        if (order.inputs.length == 0) order.inputs = new Order.Input[](1);
        index = seed % order.inputs.length;
        Order.Input memory input = order.inputs[index];
        input.payment.chainId = "base";
        input.payment.currency = abi.encodePacked(currency);
        input.payment.amount = amount;
        for (uint256 i; i < input.refunds.length; ++i) input.refunds[i].deadline = uint32(block.timestamp);
    }

    function _noProofs() private pure returns (bytes32[][] memory) {
        return new bytes32[][](0);
    }
}
